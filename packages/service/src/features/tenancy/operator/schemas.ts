import { z } from 'zod';
import { instant } from '../../../kit/http/query.js';
import { sweepNames } from './sweeps.js';

export const sweepPath = z.object({
  name: z.string().max(255).meta({ enum: sweepNames }),
});

export const SweepDone = z
  .object({
    name: z.enum(sweepNames),
    affected: z.int().min(0),
  })
  .meta({ id: 'SweepDone' });

const count = z.int().min(0);
const differences = count;

const GroupAudit = z.object({
  group: count,
  ledger: z.object({
    subjects: count,
    events: count,
    snapshots: count,
    differences,
  }),
  log: z.object({
    leaves: count,
    checkpoints: count,
    facts: count,
    thinned: count,
    erased: count,
    waiting: count,
    differences,
  }),
});

export const Audits = z
  .object({
    audits: z.array(
      z.object({
        id: z.uuid(),
        startedAt: instant,
        endedAt: instant,
        differences,
        groups: z.array(GroupAudit),
      }),
    ),
  })
  .meta({ id: 'Audits' });
