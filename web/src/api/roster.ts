import { api, type Schemas } from './client.ts';
import { ApiProblem, toProblem } from './problem.ts';

export type RosterStatus = 'created' | 'updated' | 'unchanged' | 'failed';
/** What became of one item; `index` counts the items that were sent from 0. */
export type RosterAnswer = {
  readonly index: number;
  readonly status: RosterStatus;
  /** Missing where a preview would create it. */
  readonly id?: number;
  readonly error?: Pick<Schemas['Problem'], 'code' | 'detail'> & {
    readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  };
};
export type RosterSummary = {
  readonly done: true;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly deactivated: number;
  readonly not_deactivated?: string;
};
type Line = RosterAnswer | RosterSummary | { readonly done: false; readonly error: { readonly detail: string } };

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Line, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = `${rest}${decoder.decode(value, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    // Lines of this route have one of these forms (docs/taxonomy.md).
    for (const line of lines) yield JSON.parse(line) as Line;
  }
}

function brokenOff(detail: string): ApiProblem {
  return new ApiProblem({ status: 0, code: 'stream_ended', title: 'The sync broke off', detail });
}

/**
 * Sends one tag option in each text and hands on what became of each, batch by batch. What was answered is written, also
 * when it breaks off.
 * @throws ApiProblem when the service refuses all of it, or the stream ends before its last line
 */
export async function sendRoster(
  texts: readonly string[],
  options: {
    readonly isPreview: boolean;
    /** As `type:source`. */
    readonly deactivateMissing: readonly string[];
    readonly onAnswer: (answer: RosterAnswer) => void;
    readonly signal: AbortSignal;
  },
): Promise<RosterSummary> {
  const { isPreview, deactivateMissing, onAnswer, signal } = options;
  const query = {
    preview: isPreview ? 'true' : 'false',
    ...(deactivateMissing.length > 0 && { deactivate_missing: deactivateMissing.join(',') }),
  } as const;
  const { response } = await api.POST('/v1/tag/bulk', {
    params: { query },
    parseAs: 'stream',
    headers: { 'Content-Type': 'application/x-ndjson' },
    signal,
    // The document can say of this body no more than what one of its lines is.
    body: { tag_options: [] },
    bodySerializer: () => texts.join('\n'),
  });
  if (!response.body) throw toProblem(new Error('The service answered without a body.'));
  for await (const line of linesOf(response.body)) {
    if (!('done' in line)) onAnswer(line);
    else if (line.done) return line;
    else throw brokenOff(line.error.detail);
  }
  throw brokenOff(
    'The connection ended before the last line. What was answered is written; send the file again for the rest.',
  );
}
