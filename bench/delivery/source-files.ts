import { createCipheriv, createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MIB } from '../../src/base/index.ts';

export type SourceFile = {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
};

/** Files of bytes that nothing compresses, the key stream of AES for a seed, in ten folders. */
export async function writeSourceFiles(
  folder: string,
  set: { readonly files: number; readonly bytes: number; readonly seed: number },
): Promise<readonly SourceFile[]> {
  const key = createHash('sha256').update(`delivery ${set.seed}`).digest().subarray(0, 16);
  const stream = createCipheriv('aes-128-ctr', key, Buffer.alloc(16));
  const zeros = Buffer.alloc(MIB);
  const files: SourceFile[] = [];
  for (let n = 0; n < set.files; n += 1) {
    const name = `match-${n % 10}/photo-${String(n).padStart(5, '0')}.jpg`;
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    const hash = createHash('sha256');
    const file = await open(path, 'w');
    for (let left = set.bytes; left > 0; ) {
      const piece = stream.update(zeros.subarray(0, Math.min(left, MIB)));
      hash.update(piece);
      await file.write(piece);
      left -= piece.length;
    }
    await file.close();
    files.push({ path, name, bytes: set.bytes, sha256: hash.digest('hex') });
  }
  return files;
}
