import { z } from 'zod';
import { instant } from '../../../kit/http/query.js';
import { sweepNames } from './sweeps.js';

export const sweepPath = z.object({
  name: z
    .string()
    .max(255)
    .meta({ enum: sweepNames, description: 'Name of the sweep.', example: 'retention' }),
});

export const SweepDone = z
  .object({
    name: z.enum(sweepNames),
    affected: z.int().min(0).meta({
      description:
        'Rows changed; for `decay`, scores queued; for `benchmarks`, cohorts, days, sums of days and histograms computed.',
    }),
  })
  .meta({
    id: 'SweepDone',
    description: 'The result of a sweep.',
    example: { name: 'retention', affected: 1280 },
  });

const count = z.int().min(0);
const differences = count.meta({ description: 'Differences that were found; 0 is the only good number.' });

const GroupAudit = z.object({
  group: count.meta({ description: 'Number of the ledger group.' }),
  ledger: z
    .object({
      subjects: count,
      events: count,
      snapshots: count.meta({ description: 'Published score changes.' }),
      differences,
    })
    .meta({ description: 'The ledger, compared with the tallies and scores that follow from it.' }),
  log: z
    .object({
      leaves: count.meta({ description: 'Leaves of the transparency log that were read.' }),
      checkpoints: count.meta({ description: 'Signed checkpoints that were checked.' }),
      facts: count.meta({ description: 'Facts that were compared with their rows.' }),
      thinned: count.meta({ description: 'Leaves of snapshots that retention has thinned.' }),
      erased: count.meta({ description: 'Leaves of erased subjects, without a salt.' }),
      waiting: count.meta({ description: 'Facts that waited for the log.' }),
      differences,
    })
    .meta({ description: 'The ledger, compared with the transparency log.' }),
});

export const Audits = z
  .object({
    audits: z
      .array(
        z.object({
          id: z.uuid(),
          startedAt: instant.meta({ description: 'When the audit began.' }),
          endedAt: instant.meta({ description: 'When the audit ended.' }),
          differences: differences.meta({
            description: 'Differences of all groups; 0 is the only good number.',
          }),
          groups: z.array(GroupAudit).meta({ description: 'The ledger groups that were audited.' }),
        }),
      )
      .meta({ description: 'Newest first.' }),
  })
  .meta({
    id: 'Audits',
    description: 'Results of the ledger audit.',
    example: {
      audits: [
        {
          id: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34',
          startedAt: '2026-03-01T03:00:00.000Z',
          endedAt: '2026-03-01T03:04:11.000Z',
          differences: 0,
          groups: [
            {
              group: 0,
              ledger: {
                subjects: 41_200,
                events: 512_480,
                snapshots: 655_120,
                differences: 0,
              },
              log: {
                leaves: 1_167_600,
                checkpoints: 9_120,
                facts: 1_167_600,
                thinned: 0,
                erased: 12,
                waiting: 0,
                differences: 0,
              },
            },
          ],
        },
      ],
    },
  });
