import { z } from 'zod';
import { disputeOutcomes, disputeStatuses } from '../catalogues/enums.js';
import { at, count, finalStatus, id, SAMPLE, subjectRef } from './fields.js';

/** Envelopes about disputes, quotas and jobs. */

export const DisputeResolved = z.object({
  disputeId: id,
  eventId: id,
  user: subjectRef,
  outcome: z.enum(disputeOutcomes),
  status: z.enum(disputeStatuses),
  lapsed: z.boolean().meta({ description: 'True: nobody resolved it before the window ended.' }),
  resolvedAt: at,
});
export type DisputeResolved = z.output<typeof DisputeResolved>;

export const DISPUTE_EXAMPLE: DisputeResolved = {
  disputeId: SAMPLE.id(3),
  eventId: SAMPLE.id(4),
  user: { externalId: SAMPLE.externalId },
  outcome: 'FOR_USER',
  status: 'RESOLVED_FOR_USER',
  lapsed: false,
  resolvedAt: SAMPLE.at,
};

export const QuotaWarning = z.object({
  used: count,
  cap: count,
  remaining: count,
  ratio: z.number().min(0).meta({ description: 'Share of the quota that is used, four decimals.' }),
  threshold: z.number().gt(0).max(1).meta({ description: 'The share that this warns of.' }),
  periodEnd: at,
});
export type QuotaWarning = z.output<typeof QuotaWarning>;

export const QUOTA_EXAMPLE: QuotaWarning = {
  used: 800_211,
  cap: 1_000_000,
  remaining: 199_789,
  ratio: 0.8002,
  threshold: 0.8,
  periodEnd: '2026-04-01T00:00:00.000Z',
};

export const ImportCompleted = z.object({
  importJobId: id,
  status: finalStatus,
  createdCount: count,
  skippedCount: count,
  failedCount: count,
  error: z.string().nullable(),
  completedAt: at,
});
export type ImportCompleted = z.output<typeof ImportCompleted>;

export const IMPORT_EXAMPLE: ImportCompleted = {
  importJobId: SAMPLE.id(5),
  status: 'COMPLETED',
  createdCount: 48_211,
  skippedCount: 1200,
  failedCount: 3,
  error: null,
  completedAt: SAMPLE.at,
};

export const ScreeningCompleted = z.object({
  screeningJobId: id,
  status: finalStatus,
  total: count,
  foundCount: count,
  error: z.string().nullable(),
  completedAt: at,
});
export type ScreeningCompleted = z.output<typeof ScreeningCompleted>;

export const SCREENING_EXAMPLE: ScreeningCompleted = {
  screeningJobId: SAMPLE.id(6),
  status: 'COMPLETED',
  total: 2500,
  foundCount: 2381,
  error: null,
  completedAt: SAMPLE.at,
};
