import { configDefaults, defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/count-reporter.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}'],
    // They take minutes: npm run test:faults.
    exclude: [...configDefaults.exclude, '**/*.faults.test.ts'],
    testTimeout: 30_000,
    // A browser on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    setupFiles: ['test/support/property-seed.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // The counts come last, after the summary.
    reporters: ['default', new CountReporter()],
  },
});
