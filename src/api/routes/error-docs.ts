import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Api } from '../server.ts';

const SOURCE = join(import.meta.dirname, '..', '..', '..', 'docs', 'errors.md');

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one] ?? one);
}

const inline = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** The tables of docs/errors.md as one page, with an anchor per code: what `type` of a problem document points to. */
export function renderErrorDocs(markdown: string): string {
  const parts = markdown.split('\n').flatMap((line) => {
    const heading = /^## (.+)$/.exec(line);
    if (heading?.[1]) return [`<h2>${inline(heading[1])}</h2>`];
    const cells = /^\| `(\w+)` \|/.test(line) ? line.split(/(?<!\\)\|/).slice(1, -1) : [];
    const [code, title, again, when, what] = cells.map((cell) => cell.trim());
    if (code === undefined || what === undefined) return [];
    const name = code.replaceAll('`', '');
    return [
      `<section id="${name}"><h3><a href="#${name}"><code>${name}</code></a> ${inline(title ?? '')}</h3>`,
      `<p>${inline(when ?? '')}</p><p><b>What to do:</b> ${inline(what)} <small>Try the same request again: ${inline(again ?? '')}.</small></p></section>`,
    ];
  });
  const style =
    'body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}' +
    'h3 a{color:#0b5c66;text-decoration:none}section:target{background:#fff4cf}small{color:#666}' +
    '@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}h3 a{color:#6cc9d4}section:target{background:#443a10}}';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Touchline errors</title><style>${style}</style><h1>Errors</h1><p><a href="/docs">API</a></p>${parts.join('\n')}</html>`;
}

export function registerErrorDocs(app: Api): void {
  app.get('/docs/errors', { schema: { hide: true } }, async (_request, reply) => {
    const page = renderErrorDocs(await readFile(SOURCE, 'utf8'));
    return reply
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(page);
  });
}
