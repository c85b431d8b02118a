import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const HARNESS = 'packages/service/test/harness';
const SLOW = 'packages/*/test/**/*.slow.test.ts';
const PROPERTIES = 'packages/*/test/**/*.property.test.ts';

// Packages are tested from their sources, whatever was built last.
const conditions = ['source'];
const fromSources = { resolve: { conditions }, ssr: { resolve: { conditions } } };

const common = {
  // One process runs many files, one after the other: loading the service for each was a quarter of all the work. So a file puts back
  // what it changes of its process (spies, timers), and closes what it opens.
  isolate: false,
  // What has to come may take its time on a busy machine; the runner's own second is a race.
  expect: { poll: { timeout: 90_000, interval: 20 } },
  // Its dependency names its sources, which Node cannot load, under the condition `source`, too.
  server: { deps: { inline: ['@modelcontextprotocol/client'] } },
  testTimeout: 400_000,
  hookTimeout: 400_000,
};

/** Short files of long tests, most of which wait. Without a record of durations the runner takes a long file for a long test. */
const LONG = ['crash', 'processes', 'oldPrimary', 'cheats', 'linksProperty', 'samples', 'rules.property'];
const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.includes(`/${name}.`));

/** Begins with long tests, so that no worker ends with one while the others have nothing left to do. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    provide: { groups: 1 },
    globalSetup: [`${HARNESS}/globalSetup.ts`],
    reporters: ['default', './scripts/plainSummaryReporter.mjs'],
    // Most tests wait, for a server, a process or a clock, so more files than the cores of a small machine run at once.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongFirst },
    projects: [
      {
        ...fromSources,
        test: { ...common, name: 'fast', include: ['packages/*/test/**/*.test.ts'], exclude: [SLOW] },
      },
      // Child processes, browsers, races, and all cases of the properties.
      {
        ...fromSources,
        test: {
          ...common,
          name: 'slow',
          include: [SLOW, PROPERTIES],
          provide: { isThorough: true },
          // They wait for processes, leases and time limits, more than they compute.
          maxWorkers: Math.max(4, availableParallelism()),
          sequence: { groupOrder: 1 },
        },
      },
      // What the project `fast` runs on PostgreSQL, on the embedded database.
      {
        ...fromSources,
        test: {
          ...common,
          name: 'embedded',
          include: [
            'packages/service/test/{features,pages}/**/*.test.ts',
            'packages/service/test/kit/http*.test.ts',
          ],
          exclude: [SLOW],
          provide: { breadthEngine: 'pglite' },
        },
      },
      // What reads or writes the ledger, once more on databases with three ledger groups, over which the platforms of the tests are spread.
      {
        ...fromSources,
        test: {
          ...common,
          name: 'groups',
          include: [
            'packages/service/test/{features,ledger,pages,processes,shape}/**/*.test.ts',
            'packages/service/test/kit/{db,jobs}/**/*.test.ts',
            'packages/service/test/{listParameters,memberNames,openapiExamples}.test.ts',
          ],
          exclude: [SLOW],
          provide: { groups: 3 },
        },
      },
    ],
  },
});
