import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const BIOME = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'biome');

/** A TypeScript text as `npm run format` leaves it. */
export function formatted(text: string): string {
  const { status, stdout, stderr } = spawnSync(BIOME, ['format', '--stdin-file-path=schema.d.ts'], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`expected Biome to format the types, received ${stderr}`);
  return stdout;
}
