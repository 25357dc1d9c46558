import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Api } from '../server.ts';
import { hasEtag } from './media-access.ts';

/** The screens of the browser UI: a page that is opened by its address gets the application, which shows the screen. */
export const SCREENS = ['admin', 'asset', 'deliver', 'upload'] as const;

/** Stands in index.html where each answer has a number of its own (web/vite.config.ts writes it there). */
const NONCE_MARK = '__CSP_NONCE__';
/** In here lie the files whose names hold a hash of their content. */
const HASHED_FOLDER = 'assets/';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const COMPRESSED = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest']);

type Encoding = 'br' | 'gzip';
type WebFile = {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
  readonly isHashed: boolean;
  /** Each made once, when it is first asked for; undefined where it saves nothing. */
  encoded(encoding: Encoding): Promise<Buffer> | undefined;
};

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/** Some milliseconds for each file, and within 2 % of the slowest. */
const BROTLI_QUALITY = 9;

function openFile(path: string, name: string): WebFile {
  const bytes = readFileSync(path);
  const made = new Map<Encoding, Promise<Buffer>>();
  return {
    bytes,
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    isHashed: name.startsWith(HASHED_FOLDER),
    encoded(encoding) {
      if (!COMPRESSED.has(extname(name)) || bytes.length < 1024) return undefined;
      const making =
        made.get(encoding) ??
        (encoding === 'br'
          ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
          : zip(bytes, { level: 9 }));
      made.set(encoding, making);
      return making;
    },
  };
}

/** The built files by their path below the folder; none where nothing has been built. */
function readFolder(folder: string): ReadonlyMap<string, WebFile> {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return new Map(
    entries
      // Notes of the build begin with a dot.
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const name = relative(folder, path).replaceAll(sep, '/');
        return [name, openFile(path, name)];
      }),
  );
}

/**
 * What the page may load: its own scripts and styles, and pictures and videos from where this service publishes them. React
 * Aria adds a style element or two, which the number of the answer allows.
 */
function policyOf(nonce: string, mediaOrigins: readonly string[]): string {
  const media = ["'self'", 'blob:', ...mediaOrigins].join(' ');
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${media} data:`,
    `media-src ${media}`,
    `connect-src ${["'self'", ...mediaOrigins].join(' ')}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function preferredEncoding(request: FastifyRequest): Encoding | undefined {
  const accepted = request.headers['accept-encoding'] ?? '';
  const takes = (name: string) => new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted);
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : undefined;
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: WebFile): Promise<FastifyReply> {
  reply.headers({
    'Cache-Control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: file.etag,
    Vary: 'Accept-Encoding',
  });
  if (hasEtag(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  const encoding = preferredEncoding(request);
  const encoded = encoding && file.encoded(encoding);
  if (encoded) reply.header('Content-Encoding', encoding);
  return reply.type(file.type).send(encoded ? await encoded : file.bytes);
}

/**
 * The browser UI as `npm start` has built it (web/): `/` and its screens answer the same page, with a strict
 * Content-Security-Policy; scripts and styles carry hashes in their names and are kept for good. Without a build `/` leads
 * to the documentation of the API.
 */
export function registerWeb(
  app: Api,
  options: { readonly folder: string; readonly publicUrl: string; readonly mediaUrl: string },
): void {
  const files = readFolder(options.folder);
  const page = files.get('index.html')?.bytes.toString('utf8');
  if (page === undefined) {
    app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs', 302));
    return;
  }
  const origins = [...new Set([options.publicUrl, options.mediaUrl].map((url) => new URL(url).origin))];
  for (const path of ['/', ...SCREENS.flatMap((screen) => [`/${screen}`, `/${screen}/*`])]) {
    app.get(path, { schema: { hide: true } }, async (_request, reply) => {
      const nonce = randomBytes(16).toString('base64');
      return reply
        .headers({
          'Cache-Control': 'no-cache',
          'Content-Security-Policy': policyOf(nonce, origins),
          'Cross-Origin-Opener-Policy': 'same-origin',
        })
        .type('text/html; charset=utf-8')
        .send(page.replaceAll(NONCE_MARK, nonce));
    });
  }
  for (const [name, file] of files) {
    if (name === 'index.html') continue;
    app.get(`/${name}`, { schema: { hide: true } }, (request, reply) => sendFile(request, reply, file));
  }
}
