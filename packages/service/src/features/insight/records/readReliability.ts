import { dayOf, type Factor } from '@reliability/scoring';
import { fail } from '../../../domain/errors.js';
import { shareOf } from '../../../domain/points.js';
import type { Owner } from '../../../kit/http/route.js';
import type { RecordFacts } from '../../../ledger/recompute/evaluateRecord.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { Dispatch } from './schemas.js';
import { type DispatchRow, findDispatch } from './store.js';

const MAX_DRIVERS = 3;

/**
 * The figures for a dispatcher of jobs, from one row. Unknown figures are null: a read never
 * computes a score. Throws USER_NOT_FOUND.
 */
export async function readReliability(
  { db, clock }: Pick<ServiceDeps, 'db' | 'clock'>,
  owner: Owner,
  userId: string,
): Promise<Dispatch> {
  const row = await findDispatch(db, subjectIdOf(owner.platformId, owner.livemode, userId));
  if (!row) return fail('USER_NOT_FOUND');
  return {
    userId,
    finalScore: row.finalScore,
    scoreBand: row.scoreBand,
    confidence: row.confidence,
    frozen: row.frozen,
    verifiedEvents: row.verifiedEvents,
    totalEvents: row.totalEvents,
    noShowRate: noShowRateOf(row.facts),
    onTime: row.onTime,
    daysSinceLastEvent: daysSince(row.facts?.lastEventAt ?? null, clock.now()),
    topDrivers: topDriversOf(row),
  };
}

function noShowRateOf(facts: RecordFacts | null): number | null {
  return facts && shareOf(facts.breaches, facts.outcomes);
}

/** Whole UTC days, like ages in the formula. */
function daysSince(iso: string | null, now: Date): number | null {
  return iso === null ? null : Math.max(0, dayOf(now) - dayOf(new Date(iso)));
}

/** The factors with the largest contributions; equal ones stay in the order of the factors. */
function topDriversOf({ factors }: DispatchRow): { factor: Factor; contribution: number }[] {
  return (factors ?? [])
    .filter(({ contribution }) => contribution !== 0)
    .sort((left, right) => Math.abs(right.contribution) - Math.abs(left.contribution))
    .slice(0, MAX_DRIVERS)
    .map(({ name, contribution }) => ({ factor: name, contribution }));
}
