import { execFileSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { expect, test } from 'vitest';
import { curlOf, typescriptOf } from './api-call.ts';

const BASE = 'http://localhost:8080';
const request = {
  player: { all: [43], none: [18] },
  text: `it's "so" \\ $HOME \`x\` Sørbøen`,
  all: [{ captured_at: { gte: '2026-03-01' } }, { 'details.desk': null }],
  sort: '-captured_at',
  limit: 50,
};

test('the shell passes on exactly the search, and the key from the environment', () => {
  const command = curlOf(request, BASE).replace(
    /^curl/,
    `node -e 'process.stdout.write(JSON.stringify(process.argv.slice(1)))' --`,
  );
  const output = execFileSync('sh', ['-c', command], {
    encoding: 'utf8',
    env: { ...process.env, TOUCHLINE_KEY: 'tl_x' },
  });
  const args: unknown = JSON.parse(output);
  expect(args).toEqual([
    '-s',
    `${BASE}/v1/media/search`,
    '-H',
    'X-Api-Key: tl_x',
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify(request),
  ]);
});

test('the TypeScript sends exactly the search', async () => {
  const code = stripTypeScriptTypes(typescriptOf(request, BASE));
  const sent: { readonly url: string; readonly body: string }[] = [];
  const fetchOnce = async (url: string, { body }: { readonly body: string }) => {
    sent.push({ url, body });
    return new Response('{"media":[],"total":0,"next_cursor":null}');
  };
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  await (new AsyncFunction('fetch', code)(fetchOnce) as Promise<void>);
  expect(sent.map(({ url }) => url)).toEqual([`${BASE}/v1/media/search`]);
  expect(JSON.parse(sent[0]?.body ?? '')).toEqual(request);
});
