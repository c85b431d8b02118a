import { existsSync } from 'node:fs';
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
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
