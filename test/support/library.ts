import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect } from 'vitest';
import type { Answer, Json, TestApp, UploadOptions } from './app.ts';

/** Creates a tag option and answers its ID. */
export async function createTag(service: TestApp, body: object): Promise<number> {
  const answer = await service.call('POST', '/v1/tag', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body['tag_option'].id;
}

/** A small JPEG of one colour; another seed gives another file. */
export function plainPhoto(seed: number, size = { width: 96, height: 64 }): Promise<Buffer> {
  const background = { r: seed % 256, g: (seed >> 8) % 256, b: (seed * 31) % 256 };
  return sharp({ create: { ...size, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** Uploads and waits for the result, which must be an accepted asset. */
export async function uploadMedia(service: TestApp, bytes: Uint8Array, options: UploadOptions = {}): Promise<Json> {
  const answer = await service.upload(bytes, options);
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
  return answer.body['media'];
}

/** POST /v1/media/search, which must succeed. */
export async function searchMedia(service: TestApp, body: object, query = ''): Promise<Json> {
  const answer = await service.call('POST', `/v1/media/search${query}`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

export const idsOf = (found: Json): number[] => found['media'].map((media: Json) => media['id']);

/** The pointers of a problem document, for a refusal that must name what is wrong. */
export const pointersOf = (answer: Answer): string[] =>
  (answer.body['errors'] as Json[]).map((error) => error['pointer']);

/** Files below a folder, as relative paths in order; a folder that is not there has none. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** Originals and derived files in the storage of the service. */
export const storedObjects = (service: TestApp): Promise<string[]> => filesBelow(join(service.dataDir, 'storage'));
