import { z } from 'zod';
import { sweepNames } from './sweeps.js';

export const sweepPath = z.object({
  name: z.string().meta({ enum: sweepNames, description: 'Which sweep.', example: 'retention' }),
});

export const SweepDone = z
  .object({
    name: z.enum(sweepNames),
    affected: z.int().min(0).meta({
      description:
        'Things changed; for `decay`, scores queued; for `benchmarks`, cohorts made anew and days summed up.',
    }),
  })
  .meta({
    id: 'SweepDone',
    description: 'What a sweep came to.',
    example: { name: 'retention', affected: 1280 },
  });
