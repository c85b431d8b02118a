import { addTally, decayTable, emptySums, type HalfSums, judgeRecord, scaled, weigh } from './halves.js';
import { type EventType, model, outcomeClassOf, type PlatformTier, type ScoreBand } from './model.js';
import { hundredths } from './rounding.js';
import { exactScore, type Score, score } from './score.js';
import { type Day, mergeTallies, type Tally, type TallyKey } from './tally.js';

export const suggestionKinds = ['outcomes', 'confirm', 'dispute', 'wait'] as const;
/** No suggestion asks for more outcomes, new or confirmed. */
export const MAX_SUGGESTED_OUTCOMES = 200;
export const MAX_SUGGESTED_DAYS = 730;

/** What would raise a score, and the score that follows if it is done today. */
export interface Suggestion {
  readonly kind: (typeof suggestionKinds)[number];
  /** Outcomes, disputes, or days to wait. */
  readonly count: number;
  readonly eventType?: EventType;
  readonly isVerified?: boolean;
  readonly finalScore: number;
  readonly scoreBand: ScoreBand;
  /** Points above the present score, two decimals. */
  readonly delta: number;
}

/** An outcome that a dispute can end for the subject: a breach without a dispute, or one whose dispute is open. */
export interface Contestable
  extends Pick<TallyKey, 'eventType' | 'stakeLevel' | 'platformTier' | 'isVerified'> {
  /** What counts while its dispute is open, and leaves with its end. Null without a dispute: a filing would leave again. */
  readonly contested: Pick<TallyKey, 'eventType' | 'day' | 'timeliness'> | null;
}

export interface SuggestedFor {
  /** Outcomes that the asking platform reported, so that it can have them confirmed. */
  readonly own: readonly Tally[];
  /** All others of the record. */
  readonly others: readonly Tally[];
  readonly contestable: readonly Contestable[];
  /** Of the asking platform. */
  readonly platformTier: PlatformTier;
  readonly current: Pick<Score, 'finalScore' | 'scoreBand'>;
}

/** The band above, and the lowest score in it. Null above the highest. */
export function nextBandOf(scoreBand: ScoreBand): { scoreBand: ScoreBand; scoreMin: number } | null {
  const above = model.bands[model.bands.findIndex(({ band }) => band === scoreBand) - 1];
  return above ? { scoreBand: above.band, scoreMin: above.minimum } : null;
}

/** What helps, the largest gain for one outcome, dispute or day first. docs/FORMULA.md "What would raise a score". */
export function suggest(
  { own, others, contestable, platformTier, current }: SuggestedFor,
  asOf: Day,
): Suggestion[] {
  const record = mergeTallies(own, others);
  const next = nextBandOf(current.scoreBand);
  const found: Found[] = bestDisputes(record, contestable, asOf);
  if (next) {
    const job = { eventType: 'TRANSACTION_COMPLETED', isVerified: true } as const;
    const today = { ...job, day: asOf, platformTier, stakeLevel: 'MEDIUM', timeliness: 'on_time' } as const;
    const outcomes = new Array<TallyKey>(MAX_SUGGESTED_OUTCOMES).fill(today);
    const confirmed = unconfirmedOf(own).map((key) => ({ ...key, isVerified: true, platformTier }));
    found.push(
      ...fewestAdded(record, outcomes, next.scoreMin, asOf).map((one) => as('outcomes', one, job)),
      ...fewestAdded(record, confirmed, next.scoreMin, asOf).map((one) => as('confirm', one)),
      ...fewestDays(record, next.scoreMin, asOf).map((one) => as('wait', one)),
    );
  }
  return found
    .map(({ reached, ...act }) => {
      const { finalScore, scoreBand } = reached;
      const delta = (hundredths(finalScore) - hundredths(current.finalScore)) / 100;
      return { ...act, finalScore, scoreBand, delta };
    })
    .filter(({ delta }) => delta > 0)
    .sort((a, b) => b.delta / b.count - a.delta / a.count);
}

interface Reached {
  readonly count: number;
  readonly reached: Score;
}

type Found = Reached & Pick<Suggestion, 'kind' | 'eventType' | 'isVerified'>;

function as(
  kind: Found['kind'],
  reached: Reached,
  about: Pick<Found, 'eventType' | 'isVerified'> = {},
): Found {
  const { count, ...found } = reached;
  return { kind, count, ...about, ...found };
}

/**
 * The unverified good outcomes that have no verified one beside them of the same day, type, stake and timeliness,
 * latest day first. A confirmation writes such an outcome, and the unverified one stays.
 */
function unconfirmedOf(own: readonly Tally[]): TallyKey[] {
  const left = new Map<string, Tally>();
  for (const tally of mergeTallies(own)) {
    const { eventType, stakeLevel, timeliness, day, isVerified, count } = tally;
    if (outcomeClassOf(eventType) !== 'positive' || eventType === 'DISPUTE_RESOLVED_FOR_USER') continue;
    const key = [day, eventType, stakeLevel, timeliness].join();
    const before = left.get(key)?.count ?? 0;
    left.set(key, { ...tally, count: before + (isVerified ? -count : count) });
  }
  const outcomes: TallyKey[] = [];
  for (const { count, ...key } of [...left.values()].toSorted((a, b) => b.day - a.day)) {
    const room = MAX_SUGGESTED_OUTCOMES - outcomes.length;
    for (let index = 0; index < Math.min(count, room); index++) outcomes.push(key);
  }
  return outcomes;
}

/**
 * The fewest of these outcomes, from the first on, with which the rounded score reaches a minimum; else as many as
 * reach most. Sums that grow outcome by outcome find a candidate, and the formula itself decides: it adds in another order.
 */
function fewestAdded(
  record: readonly Tally[],
  added: readonly TallyKey[],
  minimum: number,
  asOf: Day,
): Reached[] {
  const halves = halvesOf(record, asOf);
  const reachedWith = (count: number): Reached[] => {
    const tallies = added.slice(0, count).map((key) => ({ ...key, count: 1 }));
    const reached = score(mergeTallies(record, tallies), asOf);
    return reached ? [{ count, reached }] : [];
  };
  let most = { count: 0, points: Number.NEGATIVE_INFINITY };
  for (const [index, key] of added.entries()) {
    addTally(halves[key.isVerified ? 1 : 0], { ...key, count: 1 }, asOf);
    const points = pointsOf(halves);
    if (points >= most.points) most = { count: index + 1, points };
    if (points < minimum - NEARLY) continue;
    const found = reachedWith(index + 1);
    if (found.some(({ reached }) => reached.finalScore >= minimum)) return found;
  }
  return most.count === 0 ? [] : reachedWith(most.count);
}

/** The first day on which age alone takes the rounded score to a minimum. */
function fewestDays(record: readonly Tally[], minimum: number, asOf: Day): Reached[] {
  const [unverified, verified] = halvesOf(record, asOf);
  const decay = decayTable(model.halfLifeDays);
  for (let count = 1; count <= MAX_SUGGESTED_DAYS; count++) {
    const aged = (sums: HalfSums) => scaled(sums, NOTHING, decay(count));
    if (pointsOf([aged(unverified), aged(verified)]) < minimum - NEARLY) continue;
    const reached = score(record, asOf + count);
    if (reached && reached.finalScore >= minimum) return [{ count, reached }];
  }
  return [];
}

/** Of the disputes about outcomes of one type, verified or not, the one that gives most if it ends for the subject. */
function bestDisputes(record: readonly Tally[], contestable: readonly Contestable[], asOf: Day): Found[] {
  const halves = halvesOf(record, asOf);
  const addAll = (tallies: readonly Tally[], sign: 1 | -1) => {
    for (const tally of tallies)
      addTally(halves[tally.isVerified ? 1 : 0], { ...tally, count: sign * tally.count }, asOf);
  };
  const best = new Map<string, { of: Contestable; changes: readonly Tally[]; points: number }>();
  for (const of of contestable) {
    const changes = endedForSubject(of, asOf);
    addAll(changes, 1);
    const points = pointsOf(halves);
    addAll(changes, -1);
    const kind = `${of.eventType} ${of.isVerified}`;
    if (points > (best.get(kind)?.points ?? Number.NEGATIVE_INFINITY))
      best.set(kind, { of, changes, points });
  }
  return [...best.values()].flatMap(({ of: { eventType, isVerified }, changes }) => {
    const reached = score(mergeTallies(record, changes), asOf);
    return reached ? [as('dispute', { count: 1, reached }, { eventType, isVerified })] : [];
  });
}

/** The engine's outcome copies stake, tier and verification of the disputed event. */
function endedForSubject(
  { stakeLevel, platformTier, isVerified, contested }: Contestable,
  asOf: Day,
): Tally[] {
  const common = { stakeLevel, platformTier, isVerified };
  const outcome = {
    eventType: 'DISPUTE_RESOLVED_FOR_USER',
    day: asOf,
    timeliness: 'untimed',
    count: 1,
  } as const;
  return [{ ...common, ...outcome }, ...(contested ? [{ ...common, ...contested, count: -1 }] : [])];
}

/** A rounded score reaches a limit from half a hundredth below it, and sums in another order differ by far less than the rest. */
const NEARLY = 0.00501;
const NOTHING = emptySums();

type Halves = readonly [unverified: HalfSums, verified: HalfSums];

function halvesOf(record: readonly Tally[], asOf: Day): Halves {
  const { unverified, verified } = weigh(record, asOf);
  return [unverified.sums, verified.sums];
}

function pointsOf([unverified, verified]: Halves): number {
  return exactScore(judgeRecord({ unverified, verified, totalEvents: 0, verifiedEvents: 0 }, model));
}
