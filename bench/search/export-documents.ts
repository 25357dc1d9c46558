/** Writes the generated library as lines for bench/peers/lucene (format: Indexer.java): `node export-documents.ts <assets>`. */
import { once } from 'node:events';
import { wordsOf } from '../../src/base/index.ts';
import { type Asset, generateAssets, generateTags } from './generator.ts';

const CHUNK_LENGTH = 1 << 18;
const plain = (text: string): string => wordsOf(text).join(' ');

function assetLine(asset: Asset): string {
  const visible = !asset.inBin && (asset.status === 'ready' || asset.status === 'processing');
  return [
    'D',
    asset.id,
    asset.createdAt,
    asset.capturedAt ?? '',
    asset.isVideo ? 1 : 0,
    visible ? 1 : 0,
    asset.name,
    asset.tagIds.join(','),
    `${plain(asset.name)}|${plain(asset.caption)}`,
  ].join('\t');
}

function* lines(count: number): Generator<string> {
  for (const { id, type, label, fullName, aliases } of generateTags()) {
    const names = [label, ...(fullName === null ? [] : [fullName]), ...aliases];
    yield `T\t${id}\t${type}\t${names.map(plain).join('|')}`;
  }
  for (const asset of generateAssets(count)) yield assetLine(asset);
}

let chunk: string[] = [];
let length = 0;
const flush = async () => {
  const written = process.stdout.write(chunk.join(''));
  chunk = [];
  length = 0;
  if (!written) await once(process.stdout, 'drain');
};
for (const line of lines(Number(process.argv[2]))) {
  chunk.push(line, '\n');
  length += line.length;
  if (length > CHUNK_LENGTH) await flush();
}
await flush();
