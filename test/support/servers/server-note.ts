import { appendFileSync, readFileSync } from 'node:fs';

/** A file of the run, named in the environment that its worker processes inherit. */
const NOTE_VARIABLE = 'TOUCHLINE_TEST_SERVERS';

/** From here on servers are noted in `file`. */
export function noteServersIn(file: string): void {
  process.env[NOTE_VARIABLE] = file;
}

/** Notes that a test started a server, for the summary of the run. */
export function noteServer(name: string): void {
  const file = process.env[NOTE_VARIABLE];
  if (file !== undefined) appendFileSync(file, `${name}\n`);
}

/** Names of the servers that were noted in `file`, each once. */
export function notedServers(file: string): readonly string[] {
  try {
    const names = readFileSync(file, 'utf8').split('\n');
    return [...new Set(names.filter((name) => name !== ''))].toSorted();
  } catch {
    return [];
  }
}
