import {
  type Day,
  dayFromIso,
  dayOf,
  type EventType,
  eventTypes,
  explain,
  FORMULA_VERSION,
  factorNames,
  foldTallies,
  isoFromDay,
  type LedgerFacts,
  type PlatformTier,
  platformTiers,
  type StakeLevel,
  score,
  stakeLevels,
  type Tally,
} from '@reliability/scoring';
import type { EventFact, Reasons, ScoreProof, SnapshotFact } from './readProof.js';
import { failed, passed, type Step, unchecked } from './step.js';
import type { Figures, ReasonDifference } from './stepTexts.js';

/**
 * Recomputes the score and its reasons from the facts as of the snapshot's day. Compares every
 * published digit, and each reason that the service states.
 */
export function checkScore(proof: ScoreProof, isComplete: Step['ok']): Step[] {
  const record = recordOf(proof, isComplete);
  if ('ok' in record) return [record, unrecomputedReasons(proof, record)];
  return [compareScore(record), compareReasons(record, proof.reasons)];
}

/** What a score is computed from. */
interface RecordOfFacts {
  published: SnapshotFact;
  tallies: Tally[];
  asOf: Day;
}

/** A step: why the score cannot be computed. */
function recordOf({ snapshot, members }: ScoreProof, isComplete: Step['ok']): RecordOfFacts | Step {
  const published = snapshot.fact;
  if (!published) return failed('score', 'noSnapshot');
  // Nobody is accused of a wrong score by a file that lacks events.
  if (!isComplete) return unchecked('score', 'incomplete');
  const events = members.flatMap((member) => member.events);
  const { formulaVersion, asOf } = published;
  if (formulaVersion !== FORMULA_VERSION)
    return unchecked('score', 'otherFormula', { formula: formulaVersion, known: FORMULA_VERSION });
  const facts = events.flatMap(({ fact }) => (fact ? [fact] : []));
  const misdated = checkDates(published, facts);
  if (misdated) return misdated;
  const hidden = events.length - facts.length;
  if (hidden > 0) return unchecked('score', 'hiddenFacts', { hidden, of: events.length });
  try {
    return { published, tallies: foldTallies(facts.map(ledgerFactsOf)), asOf: dayFromIso(asOf) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return failed('score', 'notComputable', { reason: error.message });
  }
}

/** Clocks of the servers that record events and publish scores may differ by this. */
export const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * A score is as of the UTC day on which it was published, after the events that it counts. Otherwise the log could publish how somebody
 * stood long ago, or will stand.
 */
function checkDates({ at, asOf }: SnapshotFact, facts: readonly EventFact[]): Step | null {
  const publishedMs = Date.parse(at);
  if (Number.isNaN(publishedMs) || isoFromDay(dayOf(new Date(publishedMs))) !== asOf)
    return failed('score', 'otherDay', { asOf, at });
  const later = facts.find((fact) => !(Date.parse(fact.at) <= publishedMs + CLOCK_SKEW_MS));
  return later ? failed('score', 'laterEvent', { eventId: later.eventId, eventAt: later.at, at }) : null;
}

function compareScore({ published, tallies, asOf }: RecordOfFacts): Step {
  const computed = score(tallies, asOf);
  const [ours, theirs] = [computed && figuresOf(computed), figuresOf(published)];
  const day = published.asOf;
  if (!ours || figureNames.some((name) => ours[name] !== theirs[name]))
    return failed('score', 'otherScore', { ours, theirs, asOf: day });
  return passed('score', 'sameScore', { formula: FORMULA_VERSION, asOf: day, ours });
}

const figureNames = ['finalScore', 'scoreBand', 'confidence'] as const;

function figuresOf({ finalScore, scoreBand, confidence }: Figures): Figures {
  return { finalScore, scoreBand, confidence };
}

function unrecomputedReasons({ reasons }: ScoreProof, why: Step): Step {
  if (!reasons) return unchecked('reasons', 'noReasons');
  return why.ok === null ? { ...why, name: 'reasons' } : unchecked('reasons', 'reasonsUncomputed');
}

function compareReasons({ published, tallies, asOf }: RecordOfFacts, stated: Reasons | null): Step {
  if (!stated) return unchecked('reasons', 'noReasons');
  const computed = reasonsOn(tallies, asOf);
  const differences = differencesOf(computed, stated);
  const { adverse, supporting } = computed;
  return differences.length > 0
    ? failed('reasons', 'otherReasons', { asOf: published.asOf, differences })
    : passed('reasons', 'sameReasons', { asOf: published.asOf, adverse, supporting });
}

/** A freeze is no reason of a score: it only holds one that was published before. */
function reasonsOn(tallies: readonly Tally[], asOf: Day): Reasons {
  const explanation = explain(tallies, asOf, { frozen: false });
  const { adverseActionReasons = [], supportingFactors = [] } = explanation?.reasonCodes ?? {};
  return {
    factors: Object.fromEntries(
      explanation?.factors.map(({ name, contribution }) => [name, contribution]) ?? [],
    ),
    adverse: adverseActionReasons.map(({ code }) => code),
    supporting: supportingFactors.map(({ code }) => code),
  };
}

function differencesOf(computed: Reasons, stated: Reasons): ReasonDifference[] {
  const names = new Set<string>([...factorNames, ...Object.keys(stated.factors)]);
  const factors = [...names].map((of) => ({
    of,
    ours: pointsOf(computed, of),
    theirs: pointsOf(stated, of),
  }));
  const codes = (['adverse', 'supporting'] as const).map((of) => ({
    of,
    ours: computed[of],
    theirs: stated[of],
  }));
  return [...factors, ...codes].filter(({ ours, theirs }) => !isSame(ours, theirs));
}

function pointsOf({ factors }: Reasons, name: string): number | null {
  return Object.hasOwn(factors, name) ? (factors[name] ?? null) : null;
}

function isSame(ours: ReasonDifference['ours'], theirs: ReasonDifference['theirs']): boolean {
  if (!Array.isArray(ours) || !Array.isArray(theirs)) return ours === theirs;
  return ours.length === theirs.length && ours.every((code, i) => code === theirs[i]);
}

/** Throws RangeError for a value that the formula does not know. */
function ledgerFactsOf(fact: EventFact): LedgerFacts {
  return {
    id: fact.eventId,
    eventType: known<EventType>(eventTypes, fact.eventType),
    stakeLevel: known<StakeLevel>(stakeLevels, fact.stakeLevel),
    platformTier: known<PlatformTier>(platformTiers, fact.platformTier),
    isVerified: fact.isVerified,
    createdAt: new Date(fact.at),
    completedAt: fact.completedAt === null ? null : new Date(fact.completedAt),
    dueDate: fact.dueDate === null ? null : new Date(fact.dueDate),
    closesEventId: fact.closes,
  };
}

function known<T extends string>(values: readonly T[], value: string): T {
  const found = values.find((each) => each === value);
  if (found === undefined) throw new RangeError(`The formula does not know ${JSON.stringify(value)}`);
  return found;
}
