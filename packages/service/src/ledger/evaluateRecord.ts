import { components, explain, type Score, score, type Tally, tallyKeyFromCode } from '@reliability/scoring';
import type { MemberRow, ScoreRow, SnapshotRow } from './recomputeStore.js';

/** What a recompute writes for one record. */
export interface Evaluation {
  readonly scores: readonly ScoreRow[];
  readonly snapshots: readonly SnapshotRow[];
}

interface EvaluateOptions {
  asOf: number;
  reason: string | null;
  frozenAt: Date | null;
}

/**
 * The score of a record from the tallies of all its members, as rows to write: the same figures for each member, beside
 * its own counts. A snapshot only where a published figure moved.
 */
export function evaluateRecord(members: readonly MemberRow[], options: EvaluateOptions): Evaluation {
  const talliesOf = members.map(talliesOfMember);
  const all = talliesOf.flat();
  const result = score(all, options.asOf);
  if (!result) return { scores: [], snapshots: [] };
  const detail = detailOf(all, options.asOf);
  const positions = Object.fromEntries(members.map((member) => [member.subject_id, member.event_count]));
  const scores: ScoreRow[] = [];
  const snapshots: SnapshotRow[] = [];
  members.forEach((member, index) => {
    const hasMoved = isNews(member, result);
    const row = scoreRowOf(member, talliesOf[index] ?? [], result, detail, options, hasMoved);
    scores.push(row);
    if (hasMoved) {
      const { reason } = options;
      snapshots.push({
        score: row,
        previousScore: member.final_score,
        reason,
        factors: result.factors,
        positions,
      });
    }
  });
  return { scores, snapshots };
}

function talliesOfMember({ days, codes, counts }: MemberRow): Tally[] {
  if (!days || !codes || !counts) return [];
  return days.map((day, index) => ({
    ...tallyKeyFromCode(day, codes[index] ?? -1),
    count: counts[index] ?? 0,
  }));
}

/** Factors, components and reasons of this very score; the texts of reasons stay in the catalogue. */
function detailOf(tallies: readonly Tally[], asOf: number): object {
  const explanation = explain(tallies, asOf, { frozen: false });
  const bare = (reasons: readonly { code: string; evidence: object }[]) =>
    reasons.map(({ code, evidence }) => ({ code, evidence }));
  return {
    factors: explanation?.factors ?? [],
    components: components(tallies, asOf),
    adverse: bare(explanation?.reasonCodes.adverseActionReasons ?? []),
    supporting: bare(explanation?.reasonCodes.supportingFactors ?? []),
  };
}

function isNews(member: MemberRow, result: Score): boolean {
  return (
    member.final_score !== result.finalScore ||
    member.score_band !== result.scoreBand ||
    member.confidence !== result.confidence ||
    member.behavioral_quality !== result.behavioralQuality ||
    member.total_events !== result.totalEvents ||
    member.verified_events !== result.verifiedEvents
  );
}

function scoreRowOf(
  member: MemberRow,
  own: readonly Tally[],
  result: Score,
  detail: object,
  { frozenAt }: EvaluateOptions,
  hasMoved: boolean,
): ScoreRow {
  return {
    subjectId: member.subject_id,
    recordId: member.record_id,
    platformId: member.platform_id,
    livemode: member.livemode,
    finalScore: result.finalScore,
    scoreBand: result.scoreBand,
    confidence: result.confidence,
    confidenceLabel: result.confidenceLabel,
    behavioralQuality: result.behavioralQuality,
    totalEvents: result.totalEvents,
    verifiedEvents: result.verifiedEvents,
    ownEvents: countOf(own),
    ownVerifiedEvents: countOf(own.filter((tally) => tally.isVerified)),
    lastActivityAt: member.last_activity_at,
    frozenAt,
    detail,
    position: member.event_count,
    snapshotNo: (member.snapshot_no ?? 0) + (hasMoved ? 1 : 0),
  };
}

function countOf(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, tally) => sum + tally.count, 0);
}
