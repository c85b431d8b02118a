import {
  components,
  dayOf,
  explain,
  FORMULA_VERSION,
  type OutcomeClass,
  outcomeClassOf,
  type Reason,
  type Score,
  score,
  type Tally,
} from '@reliability/scoring';
import { searchTextOf } from '#domain/searchText.js';
import type { RemoteMember } from '../links/remoteStore.js';
import { unpackTallies } from './packedTallies.js';
import type { MemberRow, OwnPart, ScoreRow, SnapshotRow } from './store.js';

/**
 * The score of a record from the tallies of all its members, as rows to write: the same figures for
 * each member of this ledger group, and the member's own counts. Writes a snapshot only if a
 * published figure or factor changed.
 * @param elsewhere its members in other ledger groups, which write their own rows.
 */
export function evaluateRecord(
  members: readonly MemberRow[],
  elsewhere: readonly RemoteMember[],
  { computedAt, reason, frozenAt }: { computedAt: Date; reason: string | null; frozenAt: Date | null },
) {
  const asOf = dayOf(computedAt);
  const talliesOf = members.map(unpackTallies);
  const all = [...talliesOf, ...elsewhere.map(({ tallies }) => unpackTallies(tallies))].flat();
  const result = score(all, asOf);
  const scores: ScoreRow[] = [];
  const snapshots: SnapshotRow[] = [];
  if (!result) return { scores, snapshots };
  const detail = {
    ...scoreDetailOf(all, asOf, [...members, ...elsewhere]),
    ...(elsewhere.length > 0 && { elsewhere: positionsOf(elsewhere) }),
  };
  const codesOf = (reasons: typeof detail.adverse) => reasons.map(({ code }) => code);
  const reasonCodes = { adverse: codesOf(detail.adverse), supporting: codesOf(detail.supporting) };
  const positions = {
    ...Object.fromEntries(members.map((member) => [member.subjectId, member.eventCount])),
    ...positionsOf(elsewhere),
  };
  for (const [index, member] of members.entries()) {
    const { subjectId, externalId, recordId, platformId, livemode, finalScore, scoreBand } = member;
    if (externalId === null) continue;
    const isChanged = isNews(member, result);
    const snapshotNo = (member.snapshotNo ?? 0) + (isChanged ? 1 : 0);
    const { subjectType, displayName, registeredAt, isScored, eventCount: position } = member;
    const searchText = searchTextOf({ externalId, displayName });
    const names = { externalId, displayName, searchText };
    const identity = { ...names, recordId, platformId, livemode, subjectType, registeredAt, isScored };
    const own = ownPartOf(member, talliesOf[index]);
    // A spread comes last: V8 takes some µs to add members behind it.
    scores.push({ frozenAt, detail, position, snapshotNo, ...identity, ...own, ...result });
    if (!isChanged) continue;
    const change = {
      subjectId,
      externalId,
      platformId,
      livemode,
      before:
        finalScore === null || scoreBand === null
          ? null
          : { score: finalScore, band: scoreBand, verifiedEvents: member.verifiedEvents ?? 0 },
      after: {
        score: result.finalScore,
        band: result.scoreBand,
        confidence: result.confidence,
        totalEvents: result.totalEvents,
        verifiedEvents: result.verifiedEvents,
        behavioralQuality: result.behavioralQuality,
        components: detail.components,
        factors: result.factors,
      },
      snapshotNo,
      positions,
      formulaVersion: FORMULA_VERSION,
      computedAt,
      reason,
    };
    snapshots.push({ change, asOf, reasonCodes });
  }
  return { scores, snapshots };
}

/**
 * What `score.detail` holds of a record other than the positions of members in other groups. The audit
 * rebuilds it: with a new shape, recompute all scores.
 */
export function scoreDetailOf(tallies: readonly Tally[], asOf: number, members: readonly ActiveMember[]) {
  const explanation = explain(tallies, asOf, { frozen: false });
  const bare = (reasons: readonly Reason[] = []) => reasons.map(({ code, evidence }) => ({ code, evidence }));
  return {
    factors: explanation?.factors ?? [],
    adverse: bare(explanation?.reasonCodes.adverseActionReasons),
    supporting: bare(explanation?.reasonCodes.supportingFactors),
    components: components(tallies, asOf),
    record: recordFactsOf(tallies, members),
  };
}

type ActiveMember = Pick<MemberRow, 'lastActivityAt'>;

/** The ledger positions that are counted of members in other groups. */
export function positionsOf(elsewhere: readonly RemoteMember[]): Record<string, number> {
  return Object.fromEntries(elsewhere.map(({ subjectId, position }) => [subjectId, position]));
}

/** Facts for `GET /users/{id}/reliability`, computed together with the score so that both agree. */
export interface RecordFacts {
  /** Outcomes that the formula counts. Cancelled ones do not. */
  outcomes: number;
  breaches: number;
  /** Latest occurrence among the events of all members; ISO 8601. */
  lastEventAt: string | null;
}

function recordFactsOf(tallies: readonly Tally[], members: readonly ActiveMember[]): RecordFacts {
  const countIf = (isWanted: (outcome: OutcomeClass) => boolean) =>
    countOf(tallies.filter(({ eventType }) => isWanted(outcomeClassOf(eventType))));
  const times = members.flatMap(({ lastActivityAt: at }) => (at ? [at.getTime()] : []));
  return {
    outcomes: countIf((outcome) => outcome !== 'none'),
    breaches: countIf((outcome) => outcome === 'breach'),
    lastEventAt: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
  };
}

/** What a score, its snapshot and every answer must share. */
export const FIGURES = [
  'finalScore',
  'scoreBand',
  'confidence',
  'behavioralQuality',
  'totalEvents',
  'verifiedEvents',
] as const;

function isNews(member: MemberRow, result: Score): boolean {
  return (
    FIGURES.some((name) => member[name] !== result[name]) ||
    // They may move while the score stays at its floor or ceiling, and explain and delta must agree.
    !member.factors?.every(({ name, contribution }) => contribution === result.factors[name])
  );
}

/** What the book says of the member's own events. It stays current while the score is frozen. */
export function ownPartOf(member: MemberRow, own: readonly Tally[] = unpackTallies(member)): OwnPart {
  return {
    subjectId: member.subjectId,
    ownEvents: countOf(own),
    ownVerifiedEvents: countOf(own.filter((tally) => tally.isVerified)),
    lastActivityAt: member.lastActivityAt,
  };
}

function countOf(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, tally) => sum + tally.count, 0);
}
