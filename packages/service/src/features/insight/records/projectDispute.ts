import type { OutcomeFacts } from '@reliability/scoring';
import { z } from 'zod';
import { disputeOutcomes } from '#domain/catalogues/enums.js';
import { rulingOf } from '#domain/dispute.js';
import { fail } from '#domain/errors.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { loadRecord, type ProjectionDeps, projectionFields, projectorOf } from './projection.js';
import { findContested } from './store.js';

export type DisputeProjection = z.output<typeof DisputeProjection>;
export const DisputeProjection = z
  .object({
    disputeId: z.uuid(),
    userId: z.string(),
    ends: z.array(
      z.object({
        by: z.enum(['resolution', 'lapse']),
        outcome: z.enum(disputeOutcomes),
        ...projectionFields,
      }),
    ),
  })
  .meta({ id: 'DisputeProjection' });

/**
 * GET /disputes/{id}/projection: the score after each end that a dispute can still have, by the rule
 * and the formula that would decide it (RULES D7). Throws NOT_FOUND, or SUBJECT_ERASED.
 */
export async function projectDispute(
  { db, clock }: ProjectionDeps,
  owner: ModeOwner,
  id: string,
): Promise<DisputeProjection> {
  const dispute =
    (await findContested(db, owner, id)) ??
    fail('NOT_FOUND', { message: 'There is no dispute with this id.' });
  const { disputeId, userId, subjectId, status, respondBy, ...contested } = dispute;
  if (status !== 'OPEN') return { disputeId, userId, ends: [] };
  const now = clock.now();
  const record = await loadRecord(db, subjectId);
  // Ended meanwhile: its outcome may have left the tallies.
  if ((await findContested(db, owner, id))?.status !== 'OPEN') return { disputeId, userId, ends: [] };
  const project = projectorOf(record, now);
  const endedAt = (by: 'resolution' | 'lapse', at: Date) => {
    const { outcome } = rulingOf(dispute, at);
    return { by, outcome, ...project([outcomeFacts(contested, outcome)], [contested]) };
  };
  const lapse = endedAt('lapse', respondBy);
  return { disputeId, userId, ends: respondBy > now ? [endedAt('resolution', now), lapse] : [lapse] };
}

/** As the dispute engine would write it: `outcomeEvent` of domain/dispute. */
function outcomeFacts(contested: OutcomeFacts, outcome: (typeof disputeOutcomes)[number]) {
  const { stakeLevel, isVerified, platformTier } = contested;
  const eventType = `DISPUTE_RESOLVED_${outcome}` as const;
  return { eventType, stakeLevel, isVerified, platformTier, completedAt: null, dueDate: null };
}
