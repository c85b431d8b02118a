import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import {
  type FrozenMember,
  findLiveSubject,
  type LiveSubject,
  recordThaw,
  thawRecord,
} from '../../../ledger/recompute/freezes.js';
import { addressedSubjectId } from '../../../ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { VelocityResolved } from './schemas.js';

export type VelocityDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'wakes'>;

/**
 * POST /admin/users/{id}/resolve-velocity-flag: thaws the score of the whole record and restarts
 * the guard's count. Each platform gets an activity entry about its own subject. A repetition
 * changes nothing.
 */
export async function resolveVelocityFlag(
  deps: VelocityDeps,
  address: { id: string; platformId: string | undefined },
): Promise<VelocityResolved> {
  const subjectId = addressedSubjectId({ ...address, livemode: true });
  const { subject, frozen } = await deps.db.transaction((tx) => thaw(tx, deps, subjectId));
  if (frozen.length > 0) deps.wakes.raise('scores');
  return {
    userId: subject.externalId,
    subjectId: subject.subjectId,
    platformId: subject.platformId,
    cleared: frozen.length > 0,
    frozenSince: frozen[0]?.frozenAt ?? null,
  };
}

async function thaw(
  tx: Tx,
  deps: VelocityDeps,
  subjectId: string,
): Promise<{ subject: LiveSubject; frozen: FrozenMember[] }> {
  const subject = await findLiveSubject(tx, subjectId);
  if (!subject) return fail('USER_NOT_FOUND', { message: 'No live subject has this id.' });
  const now = deps.clock.now();
  const frozen = await thawRecord(tx, subject.subjectId, now);
  await recordThaw(tx, deps, frozen, now);
  return { subject, frozen };
}
