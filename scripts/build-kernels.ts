/** Compiles src/search/bitmap/kernels/kernels.wat into kernels.generated.ts beside it: `node scripts/build-kernels.ts`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import wabt from 'wabt';

const FOLDER = join(import.meta.dirname, '..', 'src', 'search', 'bitmap', 'kernels');
const BASE64_PER_LINE = 100;

/** The text of kernels.generated.ts as the WAT asks for it now. */
export async function generatedKernels(): Promise<string> {
  const { parseWat } = await wabt();
  const module = parseWat('kernels.wat', await readFile(join(FOLDER, 'kernels.wat'), 'utf8'), {
    simd: true,
    bulk_memory: true,
  });
  try {
    const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64');
    const lines = base64.match(new RegExp(`.{1,${BASE64_PER_LINE}}`, 'g')) ?? [];
    return [
      '/** Generated from kernels.wat by `node scripts/build-kernels.ts`; do not edit. A test compares the two. */',
      'export const KERNELS_BASE64 =',
      `${lines.map((line) => `  '${line}'`).join(' +\n')};`,
      '',
    ].join('\n');
  } finally {
    module.destroy();
  }
}

if (import.meta.main) await writeFile(join(FOLDER, 'kernels.generated.ts'), await generatedKernels());
