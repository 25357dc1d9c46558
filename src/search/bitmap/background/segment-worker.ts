/** The thread that reads whole libraries and merges segments: one task, then it ends and gives its memory back. */
import { parentPort, workerData } from 'node:worker_threads';
import { scopeOf } from '../../../auth/index.ts';
import { messageOf } from '../../../base/index.ts';
import { withIndexSnapshot } from '../../../library/index.ts';
import { isStale } from '../evaluate/view.ts';
import type { SegmentData } from '../segment/sections.ts';
import { openSegment } from '../segment/segment.ts';
import { createSegmentBuilder } from '../segment/segment-builder.ts';
import type { Answer, Task, TaskResult } from './tasks.ts';

/** While a segment is made it takes three times its room: a library of ten million is made in ten. */
const SEGMENT_ROWS = 1_000_000;

async function load(task: Extract<Task, { kind: 'load' }>): Promise<TaskResult> {
  const { connection, applicationName, ids } = task;
  return withIndexSnapshot(
    connection,
    { scope: scopeOf(task.organizationId), applicationName, ids },
    async ({ version, rows }) => {
      const segments: SegmentData[] = [];
      let builder = createSegmentBuilder();
      const finish = () => {
        if (builder.size > 0) segments.push(builder.finish());
        builder = createSegmentBuilder();
      };
      for await (const page of rows) {
        for (const row of page) builder.add(row);
        if (builder.size >= SEGMENT_ROWS) finish();
      }
      finish();
      return { segments, version };
    },
  );
}

function merge(task: Extract<Task, { kind: 'merge' }>): TaskResult {
  const builder = createSegmentBuilder();
  for (const { data, stale } of task.parts) {
    const segment = openSegment(data);
    for (const row of segment.rows(liveDocuments(data.size, stale))) builder.add(row);
  }
  return { segments: builder.size === 0 ? [] : [builder.finish()], version: 0 };
}

function* liveDocuments(size: number, stale: Parameters<typeof isStale>[0]): Generator<number> {
  for (let document = 0; document < size; document += 1) if (!isStale(stale, document)) yield document;
}

async function run(task: Task): Promise<Answer> {
  try {
    return { result: task.kind === 'load' ? await load(task) : merge(task) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

// Sent by run-task.ts, which starts this file.
const answer = await run(workerData as Task);
// A port of a thread, which has no origin as a window does.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(answer);
