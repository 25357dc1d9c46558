import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/count-reporter.ts';
import { FaultMatrixReporter } from './test/support/faults/matrix-reporter.ts';

/** What takes minutes: every fault of every kind of destination. `npm run test:faults`. */
export default defineConfig({
  test: {
    include: ['src/**/*.faults.test.ts', 'test/**/*.faults.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', new FaultMatrixReporter(), new CountReporter()],
  },
});
