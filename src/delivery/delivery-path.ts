import { createHash } from 'node:crypto';
import { ChannelError, type ChannelSession } from './channel.ts';
import type { Delivery } from './delivery-types.ts';
import type { Collision } from './destination-types.ts';
import { withSuffix } from './path-template.ts';

/** What to do at the target: nothing, since the bytes are there, or a put under a name. */
export type TargetDecision =
  | { readonly kind: 'arrived'; readonly path: string }
  | { readonly kind: 'same'; readonly path: string }
  | { readonly kind: 'put'; readonly path: string; readonly replace: boolean };

const MAX_SUFFIX = 999;

/** Whether the target has exactly these bytes under the name: its size first, then all of them. */
export async function hasSameBytes(
  session: ChannelSession,
  file: { readonly path: string; readonly bytes: number; readonly sha256: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const there = await session.stat(file.path, file.signal);
  if (there?.bytes !== file.bytes) return false;
  const hash = createHash('sha256');
  for await (const chunk of session.read(file.path, file.signal)) hash.update(chunk);
  return hash.digest('hex') === file.sha256;
}

async function isOfTryBefore(
  session: ChannelSession,
  { delivery, sha256, signal }: Parameters<typeof decideTarget>[1],
): Promise<boolean> {
  const { targetPath: path, bytes, sha256: before } = delivery;
  if (path === null || before === null || before === sha256) return false;
  return hasSameBytes(session, { path, bytes, sha256: before, signal });
}

/** Looks at what has the name already. An earlier try of the same delivery may have stored the file without living to say so. */
export async function decideTarget(
  session: ChannelSession,
  wanted: {
    /** `bytes` and `sha256` are those of the try before, where there was one. */
    readonly delivery: Pick<Delivery, 'path' | 'targetPath' | 'bytes' | 'sha256'>;
    readonly collision: Collision;
    readonly bytes: number;
    readonly sha256: string;
    readonly signal: AbortSignal;
  },
): Promise<TargetDecision> {
  const { delivery, collision, signal } = wanted;
  const path = delivery.targetPath ?? delivery.path;
  const isSame = () => hasSameBytes(session, { path, bytes: wanted.bytes, sha256: wanted.sha256, signal });
  if (delivery.targetPath !== null) {
    if (await isSame()) return { kind: 'arrived', path };
    const replaces = collision === 'overwrite' || collision === 'skip_same';
    // A picture that is made again, or texts that have changed, give other bytes: what the try before has stored is ours to replace.
    return { kind: 'put', path, replace: replaces || (await isOfTryBefore(session, wanted)) };
  }
  if (collision === 'overwrite') return { kind: 'put', path, replace: true };
  if (collision === 'fail') return { kind: 'put', path, replace: false };
  if (collision === 'skip_same')
    return (await isSame()) ? { kind: 'same', path } : { kind: 'put', path, replace: true };
  for (let n = 1; n <= MAX_SUFFIX; n += 1) {
    const candidate = n === 1 ? path : withSuffix(path, n);
    if ((await session.stat(candidate, signal)) === undefined) return { kind: 'put', path: candidate, replace: false };
  }
  throw new ChannelError('name_taken', `${MAX_SUFFIX} files with this name and a number are there already`);
}
