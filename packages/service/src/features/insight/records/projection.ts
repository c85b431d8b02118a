import {
  dayOf,
  type EventType,
  foldTallies,
  mergeTallies,
  model,
  type PlatformTier,
  type Score,
  type ScoreBand,
  type StakeLevel,
  score,
  scoreBandOf,
  type Tally,
} from '@reliability/scoring';
import { pointsBetween } from '../../../domain/points.js';

/** The inputs of the formula from an event that has not happened. */
export interface HypotheticalEvent {
  readonly eventType: EventType;
  readonly stakeLevel: StakeLevel;
  readonly platformTier: PlatformTier;
  readonly isVerified: boolean;
  readonly dueDate: Date | null;
  readonly completedAt: Date | null;
}

export interface ScoreState {
  readonly score: number;
  readonly band: ScoreBand;
}

/** A record as it is in the ledger, and its published score. */
export interface ProjectedRecord {
  readonly tallies: readonly Tally[];
  /** Null if there is no score yet. */
  readonly published: (ScoreState & { readonly frozen: boolean }) | null;
}

export interface Projection {
  /** `blank`: there is no score yet, so the projection starts at the initial score. */
  readonly baseline: 'record' | 'blank';
  readonly frozen: boolean;
  /** The published score. */
  readonly current: ScoreState;
  readonly projected: ScoreState;
  readonly delta: {
    /** Points, two decimals. */
    readonly score: number;
    readonly band: { readonly from: ScoreBand; readonly to: ScoreBand } | null;
  };
}

/**
 * The score of the record with additional events, and its published score. A frozen score excludes
 * later events, so only the points of the additional events are added to it. Qualifications and
 * projects change nothing.
 */
export function projectScore(
  record: ProjectedRecord,
  events: readonly HypotheticalEvent[],
  now: Date,
): Projection {
  return projectorOf(record, now)(events);
}

/** The same for several sets of events on one record. Merges its tallies once. */
export function projectorOf(
  { tallies, published }: ProjectedRecord,
  now: Date,
): (events: readonly HypotheticalEvent[]) => Projection {
  const asOf = dayOf(now);
  const record = mergeTallies(tallies);
  const frozen = published?.frozen ?? false;
  const current = published ? { score: published.score, band: published.band } : BLANK;
  const withheld = frozen ? pointsBetween(stateOf(score(record, asOf)).score, current.score) : 0;
  return (events) => {
    const added = foldTallies(events.map((event) => ({ ...event, createdAt: now })));
    const reached = stateOf(score(mergeTallies(record, added), asOf));
    const projected = frozen ? shifted(reached.score, withheld) : reached;
    const hasNewBand = current.band !== projected.band;
    return {
      baseline: published ? 'record' : 'blank',
      frozen,
      current,
      projected,
      delta: {
        score: pointsBetween(current.score, projected.score),
        band: hasNewBand ? { from: current.band, to: projected.band } : null,
      },
    };
  };
}

const BLANK: ScoreState = { score: model.anchor, band: scoreBandOf(model.anchor) };

function shifted(from: number, points: number): ScoreState {
  const score = Math.min(100, Math.max(0, pointsBetween(-points, from)));
  return { score, band: scoreBandOf(score) };
}

function stateOf(result: Score | null): ScoreState {
  return result ? { score: result.finalScore, band: result.scoreBand } : BLANK;
}
