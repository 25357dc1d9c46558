import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { Json, TestApp } from './app.ts';

/** A signed URL, made after docs/images.md and not with the service's own code. */
export function signedUrl(
  imageUrl: string,
  parameters: Readonly<Record<string, string | number>>,
  key: { readonly kid: string; readonly secret: string; readonly exp?: number },
): string {
  const url = new URL(imageUrl);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...parameters, kid: key.kid, ...(key.exp && { exp: key.exp }) })) {
    query.append(name, String(value));
  }
  query.sort();
  const text = [...query].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  query.append('s', createHmac('sha256', key.secret).update(`${url.pathname}?${text}`).digest('base64url'));
  url.search = query.toString();
  return url.href;
}

export async function setImageMode(service: TestApp, mode: string): Promise<void> {
  const answer = await service.call('PATCH', '/v1/image-settings', { body: { mode } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

export async function createImageKey(service: TestApp): Promise<{ id: number; kid: string; secret: string }> {
  const answer = await service.call('POST', '/v1/image-key', { body: { name: 'test' } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const { id, kid } = answer.body['image_key'];
  return { id, kid, secret: answer.body['secret'] };
}

export async function createImagePreset(service: TestApp, name: string, parameters: object): Promise<Json> {
  const answer = await service.call('POST', '/v1/image-preset', { body: { name, parameters } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body['image_preset'];
}

export const baseOf = (media: Json): string => (media['images'].url as string).split('?')[0] ?? '';
