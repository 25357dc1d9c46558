import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { FAULTS } from './fault-table.ts';

const WORDS = { passed: 'yes', failed: 'NO', skipped: '-', pending: '?' } as const;

/** Ends the run of the faults with a table: what each kind of destination has survived. */
export class FaultMatrixReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const results = new Map<string, Map<string, TestCase>>();
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (test.parent.type !== 'suite') continue;
        const ofKind = results.get(test.parent.name) ?? new Map<string, TestCase>();
        results.set(test.parent.name, ofKind.set(test.name, test));
      }
    }
    const kinds = [...results.keys()];
    const reasons = new Set<string>();
    const lines = [`| fault | ${kinds.join(' | ')} |`, `|---|${kinds.map(() => '---').join('|')}|`];
    for (const { name } of FAULTS) {
      const cells = kinds.map((kind) => {
        const result = results.get(kind)?.get(name)?.result();
        if (result?.state === 'skipped' && result.note !== undefined) reasons.add(`${kind}: ${result.note}`);
        return result ? WORDS[result.state] : '';
      });
      lines.push(`| ${name} | ${cells.join(' | ')} |`);
    }
    if (reasons.size > 0) lines.push('', ...[...reasons].map((reason) => `- ${reason}`));
    process.stdout.write(`\n${lines.join('\n')}\n\n`);
  }
}
