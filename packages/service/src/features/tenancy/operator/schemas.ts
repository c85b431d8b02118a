import { z } from 'zod';
import { sweepNames } from './sweeps.js';

export const sweepPath = z.object({
  name: z.string().meta({ enum: sweepNames, description: 'Name of the sweep.', example: 'retention' }),
});

export const SweepDone = z
  .object({
    name: z.enum(sweepNames),
    affected: z.int().min(0).meta({
      description:
        'Rows changed; for `decay`, scores queued; for `benchmarks`, cohorts, days and sums of days computed.',
    }),
  })
  .meta({
    id: 'SweepDone',
    description: 'The result of a sweep.',
    example: { name: 'retention', affected: 1280 },
  });
