/** Generates a library into a data folder: `node bench/search/generate.ts <folder> <assets> [--complete] [--actions]`. */
import { parseArgs } from 'node:util';
import { generateInto } from './data-folder.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { complete: { type: 'boolean' }, actions: { type: 'boolean' } },
});
const [folder, assets] = positionals;
if (folder === undefined || !Number.isInteger(Number(assets)) || Number(assets) < 1) {
  throw new Error(`expected a folder and a number of assets, received ${positionals.join(' ')}`);
}
const request = { assets: Number(assets), complete: values.complete === true, actions: values.actions === true };
await generateInto(folder, request, (line) => void process.stdout.write(`${line}\n`));
