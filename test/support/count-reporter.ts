import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { notedServers, noteServersIn } from './servers/server-note.ts';

/**
 * Ends a run with what it needed of this machine (servers that tests started, tests that were left out for want of one), and one line
 * that programs can read: `12 passed, 0 failed`.
 */
export class CountReporter implements Reporter {
  readonly #folder = mkdtempSync(join(tmpdir(), 'touchline-run-'));
  readonly #note = join(this.#folder, 'servers');

  onInit(): void {
    // Before the worker processes start.
    noteServersIn(this.#note);
    process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true }));
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    // An error outside every test fails the run as well.
    let failed = errors.length;
    const lacking = new Set<string>();
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') passed += 1;
        if (result.state === 'failed') failed += 1;
        const lack = result.state === 'skipped' ? lackOf(test, result.note) : undefined;
        if (lack !== undefined) lacking.add(lack);
      }
    }
    const servers = notedServers(this.#note);
    const lines = [
      ...(servers.length > 0 ? [`servers used: ${servers.join(', ')}`] : []),
      ...lacking,
      `${passed} passed, ${failed} failed`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}

/** What was left out for want of a server: one test that is named so, or tests that were skipped with this note. See missingProgram. */
export function lackOf(
  test: { readonly name: string; readonly parent: { readonly type: string; readonly name?: string } },
  note: string | undefined,
): string | undefined {
  const [, what, why] = /^(.+) \(skipped: (.+)\)$/.exec(test.name) ?? [];
  if (what !== undefined && why !== undefined) return `not tested: ${what}, because ${why}`;
  const noted = /^skipped: (.+)$/.exec(note ?? '')?.[1];
  if (noted === undefined) return undefined;
  const suite = test.parent.type === 'suite' ? test.parent.name : undefined;
  return `not tested: ${suite ?? test.name}, because ${noted}`;
}
