import { dayOf, type Factor } from '@reliability/scoring';
import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { shareOf } from '../../../domain/share.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { RecordFacts } from '../../../ledger/recompute/evaluateRecord.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { RecordDeps } from './deps.js';
import type { DispatchQuery } from './schemas.js';
import { type DispatchRow, findDispatch } from './store.js';

const MAX_DRIVERS = 3;

/**
 * GET /users/{id}/reliability: what fits a decision about the next job, from one row. What is not known is null: a subject
 * without a score is not computed for the sake of a read.
 */
export async function readReliability(
  { db, clock }: RecordDeps,
  context: UserContext<z.output<typeof DispatchQuery>>,
): Promise<Answer> {
  const row = await findDispatch(db, subjectOf(context));
  if (!row) return fail('USER_NOT_FOUND');
  return ok({
    userId: context.params.id,
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
  });
}

function noShowRateOf(facts: RecordFacts | null): number | null {
  return facts && shareOf(facts.breaches, facts.outcomes);
}

/** Whole UTC days, as the formula counts age. */
function daysSince(iso: string | null, now: Date): number | null {
  return iso === null ? null : Math.max(0, dayOf(now) - dayOf(new Date(iso)));
}

/** What moved the score furthest from where every record starts; equals stay in the order of the factors. */
function topDriversOf({ factors }: DispatchRow): { factor: Factor; contribution: number }[] {
  return (factors ?? [])
    .filter(({ contribution }) => contribution !== 0)
    .sort((left, right) => Math.abs(right.contribution) - Math.abs(left.contribution))
    .slice(0, MAX_DRIVERS)
    .map(({ name, contribution }) => ({ factor: name, contribution }));
}
