import { type Components, model, type ScoreBand, scoreBandOf } from '@reliability/scoring';
import type { MonitorCondition, PolicyTerms } from './envelopes/scoreEnvelopes.js';
import { assertNever } from './errors.js';

/** Published figures of a subject at one moment, as far as monitors and policies watch them. */
export interface ScoreState {
  readonly score: number;
  readonly band: ScoreBand;
  readonly verifiedEvents: number;
  readonly components: Components | null;
}

/** Where a record stands before its first score: the first move is compared with this, so a first batch is not missed. */
export const BLANK_STATE: ScoreState = {
  score: model.anchor,
  band: scoreBandOf(model.anchor),
  verifiedEvents: 0,
  components: null,
};

/** What a monitor watches for; null and false: it does not. */
export interface MonitorTerms {
  readonly belowScore: number | null;
  readonly aboveScore: number | null;
  readonly onBandChange: boolean;
}

export interface MonitorCrossing {
  readonly condition: MonitorCondition;
  /** Null for a change of band. */
  readonly threshold: number | null;
}

/** The conditions of a monitor that a move crosses, each once; none for one that stays on its side (RULES N2). */
export function monitorCrossings(
  terms: MonitorTerms,
  before: ScoreState,
  after: ScoreState,
): MonitorCrossing[] {
  const crossings: MonitorCrossing[] = [];
  if (terms.belowScore !== null && hasFallenBelow(terms.belowScore, before.score, after.score)) {
    crossings.push({ condition: 'below_score', threshold: terms.belowScore });
  }
  if (terms.aboveScore !== null && hasRisenAbove(terms.aboveScore, before.score, after.score)) {
    crossings.push({ condition: 'above_score', threshold: terms.aboveScore });
  }
  if (terms.onBandChange && before.band !== after.band) {
    crossings.push({ condition: 'band_change', threshold: null });
  }
  return crossings;
}

/** The figure that a policy looks at; null: the record says nothing about it. */
export type Observed = number | ScoreBand | null;

export interface PolicyCrossing {
  readonly previous: Observed;
  readonly current: Observed;
}

/** What a policy sees when a move crosses it; null when it does not. A component that is not known on both sides crosses nothing. */
export function policyCrossing(
  terms: PolicyTerms,
  before: ScoreState,
  after: ScoreState,
): PolicyCrossing | null {
  const previous = observedOf(terms, before);
  const current = observedOf(terms, after);
  return isCrossed(terms, previous, current) ? { previous, current } : null;
}

function isCrossed(
  { direction, threshold, band }: PolicyTerms,
  previous: Observed,
  current: Observed,
): boolean {
  switch (direction) {
    case 'enter':
      return previous !== band && current === band;
    case 'leave':
      return previous === band && current !== band;
    case 'below':
      return isNumericCrossing(hasFallenBelow, threshold, previous, current);
    case 'above':
      return isNumericCrossing(hasRisenAbove, threshold, previous, current);
    default:
      return assertNever(direction);
  }
}

/** The figure of a standing that the terms are about. */
export function observedOf({ metric, component }: PolicyTerms, state: ScoreState): Observed {
  switch (metric) {
    case 'score':
      return state.score;
    case 'verified_events':
      return state.verifiedEvents;
    case 'band':
      return state.band;
    case 'component':
      return component === null ? null : (state.components?.[component] ?? null);
    default:
      return assertNever(metric);
  }
}

function isNumericCrossing(
  rule: (threshold: number, before: number, after: number) => boolean,
  threshold: number | null,
  previous: Observed,
  current: Observed,
): boolean {
  if (threshold === null || typeof previous !== 'number' || typeof current !== 'number') return false;
  return rule(threshold, previous, current);
}

// On the threshold is neither below nor above it: the step off it is the crossing, so that none is missed and none counts twice.
function hasFallenBelow(threshold: number, before: number, after: number): boolean {
  return before >= threshold && after < threshold;
}

function hasRisenAbove(threshold: number, before: number, after: number): boolean {
  return before <= threshold && after > threshold;
}
