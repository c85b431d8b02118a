import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Packages are tested from their sources, whatever was built last.
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts'],
    globalSetup: existsSync('packages/service/test/harness/globalSetup.ts')
      ? ['packages/service/test/harness/globalSetup.ts']
      : [],
    reporters: ['default', './scripts/plainSummaryReporter.mjs'],
    // Most tests wait, for a server, a process or a clock, so more files than the cores of a small machine run at once.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // One process runs many files, one after the other: loading the service anew for each was a quarter of all the work. So a file
    // puts back what it changes of its process (spies, timers), and closes what it opens.
    isolate: false,
    // Real processes, sockets and clocks on a machine that others load as well: once more, and the report says which needed it.
    retry: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
