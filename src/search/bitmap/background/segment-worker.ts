/** The thread that reads whole libraries and merges segments: one task, then it ends and gives its memory back. */
import { parentPort, workerData } from 'node:worker_threads';
import { scopeOf } from '../../../auth/index.ts';
import { messageOf } from '../../../base/index.ts';
import { withIndexSnapshot } from '../../../library/index.ts';
import { isStale } from '../evaluate/view.ts';
import type { SegmentData } from '../segment/sections.ts';
import { openSegment } from '../segment/segment.ts';
import { createSegmentBuilder, SEGMENT_WEIGHT } from '../segment/segment-builder.ts';
import type { Answer, Task, TaskResult } from './tasks.ts';

async function load(task: Extract<Task, { kind: 'load' }>): Promise<TaskResult> {
  const { connection, applicationName, parts, withActions, fields } = task;
  const request = { scope: scopeOf(task.organizationId), applicationName, fields };
  return withIndexSnapshot(connection, request, async ({ version, assets, actions }) => {
    const segments: SegmentData[] = [];
    let builder = createSegmentBuilder();
    const finish = () => {
      if (builder.size > 0) segments.push(builder.finish());
      builder = createSegmentBuilder();
    };
    for (const ids of parts) {
      if (withActions) {
        for await (const page of actions(ids)) for (const one of page) builder.addAction(one.assetId, one.action);
      }
      for await (const page of assets(ids)) {
        for (const asset of page) builder.addAsset(asset);
        // Actions are in the segment of their assets, which is as large as its part.
        if (!withActions && builder.weight >= SEGMENT_WEIGHT) finish();
      }
      finish();
    }
    return { segments, version };
  });
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
