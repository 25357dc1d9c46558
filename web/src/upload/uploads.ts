import { useSyncExternalStore } from 'react';
import { type DetailedError, Upload } from 'tus-js-client';
import { currentSession, onSessionChange } from '../api/session.ts';

export type UploadState = 'waiting' | 'sending' | 'paused' | 'processing' | 'ready' | 'failed';

/** One file on its way into the library. */
export type UploadItem = {
  readonly id: number;
  readonly name: string;
  readonly bytes: number;
  readonly sent: number;
  readonly state: UploadState;
  /** Bytes a second, over the last seconds; 0 while nothing goes. */
  readonly rate: number;
  readonly mediaId: number | undefined;
  /** The library has had these bytes before. */
  readonly isDuplicate: boolean;
  /** What is wrong, as a sentence that says what to do. */
  readonly problem: string | undefined;
};

/** What every file of a drop gets. */
export type UploadFields = { readonly tagOptions: readonly number[]; readonly collections: readonly number[] };

/** Three at a time fill a line, and a photo that is ready does not wait for a video. */
const AT_ONCE = 3;
/** A browser reads a refusal only when its request has ended: that of the format comes with the first part. */
const CHUNK_BYTES = 64 * 1024 * 1024;
const RETRY_DELAYS_MS = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000];
const RATE_MS = 3000;

type Job = {
  readonly file: File;
  readonly fields: UploadFields;
  upload: Upload | undefined;
  marks: [number, number][];
};

let items: readonly UploadItem[] = [];
const jobs = new Map<number, Job>();
const listeners = new Set<() => void>();
let lastId = 0;

function publish(next: readonly UploadItem[]): void {
  items = next;
  for (const listener of listeners) listener();
}

function change(id: number, part: Partial<UploadItem>): void {
  publish(items.map((item) => (item.id === id ? { ...item, ...part } : item)));
}

const itemOf = (id: number) => items.find((item) => item.id === id);

onSessionChange(() => {
  for (const { upload } of jobs.values()) void upload?.abort();
  jobs.clear();
  publish([]);
});

export function useUploads(): readonly UploadItem[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => items,
  );
}

/** Puts files into the queue; they go out in this order. */
export function addUploads(files: readonly File[], fields: UploadFields): void {
  const added = files.map((file): UploadItem => {
    lastId += 1;
    jobs.set(lastId, { file, fields, upload: undefined, marks: [] });
    return {
      id: lastId,
      name: file.name,
      bytes: file.size,
      sent: 0,
      state: 'waiting',
      rate: 0,
      mediaId: undefined,
      isDuplicate: false,
      problem: undefined,
    };
  });
  publish([...items, ...added]);
  startNext();
}

function startNext(): void {
  let room = AT_ONCE - items.filter(({ state }) => state === 'sending').length;
  for (const { id } of items.filter(({ state }) => state === 'waiting')) {
    if (room <= 0) return;
    room -= 1;
    start(id);
  }
}

function start(id: number): void {
  const job = jobs.get(id);
  if (!job) return;
  job.upload ??= createUpload(id, job);
  job.marks = [];
  change(id, { state: 'sending', problem: undefined });
  job.upload.start();
}

function createUpload(id: number, job: Job): Upload {
  const { file, fields } = job;
  const list = (ids: readonly number[]) => ids.join(',');
  const upload: Upload = new Upload(file, {
    endpoint: '/v1/upload',
    chunkSize: CHUNK_BYTES,
    retryDelays: RETRY_DELAYS_MS,
    headers: { 'X-Api-Key': currentSession()?.key ?? '' },
    metadata: {
      filename: file.name,
      ...(fields.tagOptions.length > 0 && { tag_options: list(fields.tagOptions) }),
      ...(fields.collections.length > 0 && { collections: list(fields.collections) }),
    },
    removeFingerprintOnSuccess: true,
    onShouldRetry: (error) => {
      const status = statusOf(error);
      return status < 400 || status >= 500 || [409, 423, 429].includes(status);
    },
    onProgress: (sent) => progress(id, sent),
    onError: (error) => {
      change(id, { state: 'failed', rate: 0, problem: problemOf(error) });
      startNext();
    },
    onSuccess: ({ lastResponse }) => {
      const mediaId = Number(lastResponse.getHeader('Touchline-Media-Id') ?? Number.NaN);
      const isDuplicate = lastResponse.getHeader('Touchline-Duplicate') === 'true';
      const known = Number.isSafeInteger(mediaId) ? mediaId : undefined;
      // One that was there before is mostly ready: nothing more will be heard of it.
      const state = isDuplicate ? 'ready' : 'processing';
      change(id, { state, sent: file.size, rate: 0, mediaId: known, isDuplicate });
      jobs.delete(id);
      startNext();
    },
  });
  return upload;
}

function progress(id: number, sent: number): void {
  const job = jobs.get(id);
  if (!job) return;
  const now = performance.now();
  job.marks = [...job.marks.filter(([at]) => now - at < RATE_MS), [now, sent]];
  const [first] = job.marks;
  const elapsedMs = first ? now - first[0] : 0;
  const rate = first && elapsedMs > 0 ? ((sent - first[1]) * 1000) / elapsedMs : 0;
  change(id, { sent, rate });
}

const statusOf = (error: Error | DetailedError): number =>
  'originalResponse' in error ? (error.originalResponse?.getStatus() ?? 0) : 0;

/** The sentence of the problem document, or what a person can do where there is none. */
function problemOf(error: Error | DetailedError): string {
  const body = 'originalResponse' in error ? error.originalResponse?.getBody() : undefined;
  try {
    const problem: unknown = JSON.parse(body ?? '');
    if (typeof problem === 'object' && problem !== null && 'detail' in problem && typeof problem.detail === 'string') {
      return problem.detail;
    }
  } catch {
    // No problem document: a proxy answered, or nobody.
  }
  return 'The connection was lost, and came back too late. Press “Try again”: it goes on where it was.';
}

export function pauseUpload(id: number): void {
  if (itemOf(id)?.state !== 'sending' && itemOf(id)?.state !== 'waiting') return;
  void jobs.get(id)?.upload?.abort();
  change(id, { state: 'paused', rate: 0 });
  startNext();
}

/** Goes on with what was paused or has failed. */
export function resumeUpload(id: number): void {
  const state = itemOf(id)?.state;
  if (state !== 'paused' && state !== 'failed') return;
  change(id, { state: 'waiting', problem: undefined });
  startNext();
}

/** Takes one off the list; what was sent of it is forgotten by the service. */
export function cancelUpload(id: number): void {
  const { upload } = jobs.get(id) ?? {};
  jobs.delete(id);
  publish(items.filter((item) => item.id !== id));
  // The service forgets it by itself in a day where this does not get through.
  upload?.abort(true).catch(() => undefined);
  startNext();
}

export function pauseAll(): void {
  for (const { id, state } of items) if (state === 'sending' || state === 'waiting') pauseUpload(id);
}

export function resumeAll(): void {
  for (const { id, state } of items) if (state === 'paused' || state === 'failed') resumeUpload(id);
}

/** Takes those off the list that are done. */
export function clearDone(): void {
  publish(items.filter(({ state }) => state !== 'ready'));
}

/** What the change feed says of an asset that was uploaded here. */
export function noteAsset(mediaId: number, type: string, reason: string | undefined): void {
  const item = items.find((one) => one.mediaId === mediaId && one.state === 'processing');
  if (!item) return;
  if (type === 'media.ready') change(item.id, { state: 'ready' });
  if (type === 'media.failed') {
    change(item.id, { state: 'failed', problem: reason ?? 'The file cannot be read. Open the asset to see why.' });
  }
}
