import { isoFromDay } from '@reliability/scoring';
import type { z } from 'zod';
import { fail } from '#domain/errors.js';
import { trendOf } from '#domain/scoreCourse.js';
import { type TrustPoint, trustSummaryOf } from '#domain/trustSummary.js';
import type { Database } from '#kit/db/database.js';
import { readRecordEntries } from '#ledger/reads/recordEntries.js';
import { subjectOf, type UserContext } from '#ledger/requests/addressedSubject.js';
import type { Narrate } from './narrate.js';
import type { TrustQuery, TrustSummary } from './schemas.js';
import { findTrust, type TrustRow } from './store.js';

/**
 * GET /users/{id}/trust-summary: the stored score in plain words, and its trend. The AI is called
 * after the read, without a database connection. Its result does not change the rest of the answer.
 */
export async function readTrustSummary(
  { db, narrate }: { db: Database; narrate: Narrate },
  context: UserContext<z.output<typeof TrustQuery>>,
): Promise<TrustSummary> {
  const subjectId = subjectOf(context);
  const [row, entries] = await Promise.all([
    findTrust(db, subjectId),
    readRecordEntries(db, subjectId, 'outcome'),
  ]);
  if (!row || !entries) return fail('USER_NOT_FOUND');
  const trust = trustSummaryOf({ ...factsOf(row), trend: trendOf(entries, row) });
  return {
    userId: context.params.id,
    finalScore: row.finalScore,
    scoreBand: row.scoreBand,
    confidence: row.confidence,
    summary: trust.summary,
    trend: trust.trend && { ...trust.trend, day: isoFromDay(trust.trend.day) },
    strengths: trust.strengths.map(toResponse),
    risks: trust.risks.map(toResponse),
    narrative: context.query.narrative === '1' ? await narrate(trust) : null,
  };
}

function factsOf(row: TrustRow) {
  return {
    finalScore: row.finalScore,
    scoreBand: row.scoreBand,
    confidenceLabel: row.confidenceLabel,
    totalEvents: row.totalEvents,
    verifiedEvents: row.verifiedEvents,
    frozenAt: row.frozenAt,
    factors: row.factors,
    adverse: row.adverse,
    supporting: row.supporting,
  };
}

function toResponse({ code, text }: TrustPoint) {
  return { code, text };
}
