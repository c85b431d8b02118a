import {
  type Components,
  components,
  explain,
  FORMULA_VERSION,
  type OutcomeClass,
  outcomeClassOf,
  type Reason,
  type ReasonCode,
  type Score,
  score,
  type Tally,
} from '@reliability/scoring';
import type { RemoteMember } from '../links/remoteStore.js';
import { unpackTallies } from './packedTallies.js';
import type { ScoreChange } from './scoreChange.js';
import type { MemberRow, OwnPart, ScoreRow, SnapshotRow } from './store.js';

/** The rows that a recompute writes for one record. */
export interface Evaluation {
  readonly scores: readonly ScoreRow[];
  readonly snapshots: readonly SnapshotRow[];
}

interface EvaluateOptions {
  asOf: number;
  computedAt: Date;
  reason: string | null;
  frozenAt: Date | null;
  /** Its members in other ledger groups, which write their own rows. */
  elsewhere: readonly RemoteMember[];
}

/**
 * The score of a record from the tallies of all its members, as rows to write: the same figures for
 * each member of this ledger group, and the member's own counts. Writes a snapshot only if a published figure or
 * factor changed, or the last snapshot is by the draft formula.
 */
export function evaluateRecord(members: readonly MemberRow[], options: EvaluateOptions): Evaluation {
  const { elsewhere } = options;
  const talliesOf = members.map(unpackTallies);
  const all = [...talliesOf, ...elsewhere.map(({ tallies }) => unpackTallies(tallies))].flat();
  const result = score(all, options.asOf);
  if (!result) return { scores: [], snapshots: [] };
  const detail = {
    ...scoreDetailOf(all, options.asOf, [...members, ...elsewhere]),
    ...(elsewhere.length > 0 && { elsewhere: positionsOf(elsewhere) }),
  };
  const facts: Facts = { result, components: detail.components };
  const reasonCodes = { adverse: codesOf(detail.adverse), supporting: codesOf(detail.supporting) };
  const positions = {
    ...Object.fromEntries(members.map((member) => [member.subjectId, member.eventCount])),
    ...positionsOf(elsewhere),
  };
  const scores: ScoreRow[] = [];
  const snapshots: SnapshotRow[] = [];
  members.forEach((member, index) => {
    if (!isNamed(member)) return;
    const snapshotNo = (member.snapshotNo ?? 0) + (isNews(member, result) ? 1 : 0);
    scores.push({ ...scoreRowOf(member, talliesOf[index] ?? [], result, detail, options), snapshotNo });
    if (snapshotNo !== member.snapshotNo) {
      const change = { ...changeOf(member, facts, options, snapshotNo), positions };
      snapshots.push({ change, asOf: options.asOf, reasonCodes });
    }
  });
  return { scores, snapshots };
}

/**
 * What `score.detail` holds of a record besides the positions of members in other groups. The audit
 * rebuilds it: with a new shape, recompute all scores.
 */
export function scoreDetailOf(tallies: readonly Tally[], asOf: number, members: readonly ActiveMember[]) {
  return {
    ...reasonsOf(tallies, asOf),
    components: components(tallies, asOf),
    record: recordFactsOf(tallies, members),
  };
}

type ActiveMember = Pick<MemberRow, 'lastActivityAt'>;

/** The ledger positions that are counted of members in other groups. */
export function positionsOf(elsewhere: readonly RemoteMember[]): Record<string, number> {
  return Object.fromEntries(elsewhere.map(({ subjectId, position }) => [subjectId, position]));
}

type NamedMember = MemberRow & { externalId: string };

function isNamed(member: MemberRow): member is NamedMember {
  return member.externalId !== null;
}

interface Facts {
  result: Score;
  components: Components | null;
}

/** Factors and reasons of this score. The catalogue has the texts of reasons. */
function reasonsOf(tallies: readonly Tally[], asOf: number) {
  const explanation = explain(tallies, asOf, { frozen: false });
  const bare = (reasons: readonly Reason[]) => reasons.map(({ code, evidence }) => ({ code, evidence }));
  return {
    factors: explanation?.factors ?? [],
    adverse: bare(explanation?.reasonCodes.adverseActionReasons ?? []),
    supporting: bare(explanation?.reasonCodes.supportingFactors ?? []),
  };
}

function codesOf(reasons: readonly Pick<Reason, 'code'>[]): ReasonCode[] {
  return reasons.map(({ code }) => code);
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
  const isOf = (wanted: (outcome: OutcomeClass) => boolean) => (tally: Tally) =>
    wanted(outcomeClassOf(tally.eventType));
  const times = members.flatMap(({ lastActivityAt: at }) => (at ? [at.getTime()] : []));
  return {
    outcomes: countOf(tallies.filter(isOf((outcome) => outcome !== 'none'))),
    breaches: countOf(tallies.filter(isOf((outcome) => outcome === 'breach'))),
    lastEventAt: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
  };
}

function isNews(member: MemberRow, result: Score): boolean {
  return (
    member.finalScore !== result.finalScore ||
    member.scoreBand !== result.scoreBand ||
    member.confidence !== result.confidence ||
    member.behavioralQuality !== result.behavioralQuality ||
    member.totalEvents !== result.totalEvents ||
    member.verifiedEvents !== result.verifiedEvents ||
    // They may move while the score stays at its floor or ceiling, and explain and delta must agree.
    !member.factors?.every(({ name, contribution }) => contribution === result.factors[name])
  );
}

function scoreRowOf(
  member: NamedMember,
  own: readonly Tally[],
  result: Score,
  detail: object,
  { frozenAt }: EvaluateOptions,
): Omit<ScoreRow, 'snapshotNo'> {
  return {
    recordId: member.recordId,
    platformId: member.platformId,
    livemode: member.livemode,
    finalScore: result.finalScore,
    scoreBand: result.scoreBand,
    confidence: result.confidence,
    confidenceLabel: result.confidenceLabel,
    behavioralQuality: result.behavioralQuality,
    totalEvents: result.totalEvents,
    verifiedEvents: result.verifiedEvents,
    ...ownPartOf(member, own),
    frozenAt,
    detail,
    position: member.eventCount,
    externalId: member.externalId,
    subjectType: member.subjectType,
    registeredAt: member.registeredAt,
    isScored: member.isScored,
  };
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

function changeOf(
  member: NamedMember,
  { result, components: now }: Facts,
  { reason, computedAt }: EvaluateOptions,
  snapshotNo: number,
): Omit<ScoreChange, 'positions'> {
  const { finalScore, scoreBand } = member;
  return {
    subjectId: member.subjectId,
    externalId: member.externalId,
    platformId: member.platformId,
    livemode: member.livemode,
    before:
      finalScore === null || scoreBand === null
        ? null
        : {
            score: finalScore,
            band: scoreBand,
            verifiedEvents: member.verifiedEvents ?? 0,
          },
    after: {
      score: result.finalScore,
      band: result.scoreBand,
      confidence: result.confidence,
      totalEvents: result.totalEvents,
      verifiedEvents: result.verifiedEvents,
      behavioralQuality: result.behavioralQuality,
      components: now,
      factors: result.factors,
    },
    snapshotNo,
    formulaVersion: FORMULA_VERSION,
    computedAt,
    reason,
  };
}

function countOf(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, tally) => sum + tally.count, 0);
}
