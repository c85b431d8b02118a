import { type Components, model, type ScoreBand, scoreBandOf } from '@reliability/scoring';
import type { Concentration } from './concentration.js';
import type { MonitorCondition, PolicyTerms } from './envelopes/scoreEnvelopes.js';

export interface ScoreState {
  readonly score: number;
  readonly band: ScoreBand;
  readonly verifiedEvents: number;
  readonly components: Components | null;
  /** Left out where no policy watches it. */
  readonly attesters?: WatchedAttesters;
}

export interface WatchedAttesters {
  readonly distinct: number;
  /** 0 below `MIN_OUTCOMES_FOR_SHARE`: the share of a first attester is always 1. */
  readonly largestShare: number;
}

const MIN_OUTCOMES_FOR_SHARE = 5;

export function watchedAttestersOf(concentration: Concentration): WatchedAttesters {
  const { distinctAttesters, verifiedOutcomes, largestAttesterShare } = concentration;
  const isTooFew = verifiedOutcomes < MIN_OUTCOMES_FOR_SHARE;
  return { distinct: distinctAttesters, largestShare: isTooFew ? 0 : (largestAttesterShare ?? 0) };
}

/** The state before the first score. The first score is compared with it, so a first batch can fire. */
export const BLANK_STATE: ScoreState = {
  score: model.anchor,
  band: scoreBandOf(model.anchor),
  verifiedEvents: 0,
  components: null,
  attesters: { distinct: 0, largestShare: 0 },
};

export interface MonitorTerms {
  readonly belowScore: number | null;
  readonly aboveScore: number | null;
  readonly onBandChange: boolean;
}

export interface MonitorCrossing {
  readonly condition: MonitorCondition;
  readonly threshold: number | null;
}

/** The conditions of a monitor that a score change crosses, each once (RULES N2). */
export function monitorCrossings(
  { belowScore, aboveScore, onBandChange }: MonitorTerms,
  before: ScoreState,
  after: ScoreState,
): MonitorCrossing[] {
  const crossings: MonitorCrossing[] = [];
  const passes = (direction: 'below' | 'above', threshold: number | null) =>
    isCrossed({ direction, threshold, band: null }, before.score, after.score);
  if (passes('below', belowScore)) crossings.push({ condition: 'below_score', threshold: belowScore });
  if (passes('above', aboveScore)) crossings.push({ condition: 'above_score', threshold: aboveScore });
  if (onBandChange && before.band !== after.band)
    crossings.push({ condition: 'band_change', threshold: null });
  return crossings;
}

export type Observed = number | ScoreBand | null;

export interface PolicyCrossing {
  readonly previous: Observed;
  readonly current: Observed;
}

/** The crossing of a policy by a score change, or null. A component must be known before and after. */
export function policyCrossing(
  terms: PolicyTerms,
  before: ScoreState,
  after: ScoreState,
): PolicyCrossing | null {
  const previous = observedOf(terms, before);
  const current = observedOf(terms, after);
  return isCrossed(terms, previous, current) ? { previous, current } : null;
}

type Limit = Pick<PolicyTerms, 'direction' | 'threshold' | 'band'>;

/** Leaving the threshold is the crossing, so that none is missed or counted twice. */
export function isCrossed(limit: Limit, previous: Observed, current: Observed): boolean {
  return previous !== null && !isPast(limit, previous) && isPast(limit, current);
}

/** A value on the threshold is neither below nor above it. */
export function isPast({ direction, threshold, band }: Limit, observed: Observed): boolean {
  if (direction === 'enter') return observed === band;
  if (direction === 'leave') return observed !== band;
  if (threshold === null || typeof observed !== 'number') return false;
  return direction === 'below' ? observed < threshold : observed > threshold;
}

export function observedOf({ metric, component }: PolicyTerms, state: ScoreState): Observed {
  return watched[metric](state, component);
}

const watched: Record<
  PolicyTerms['metric'],
  (state: ScoreState, component: PolicyTerms['component']) => Observed
> = {
  score: ({ score }) => score,
  verified_events: ({ verifiedEvents }) => verifiedEvents,
  band: ({ band }) => band,
  component: ({ components }, name) => (name && components?.[name]) ?? null,
  largest_attester_share: ({ attesters }) => attesters?.largestShare ?? null,
  distinct_attesters: ({ attesters }) => attesters?.distinct ?? null,
};
