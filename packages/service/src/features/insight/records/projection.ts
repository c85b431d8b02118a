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
import { pointsBetween } from '../../../domain/factorChange.js';

/** An event that has not happened: what the formula would read of it. */
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

/** What is projected: a record as the ledger has it now, and the score that is published of it. */
export interface ProjectedRecord {
  readonly tallies: readonly Tally[];
  /** Null: there is no score yet. */
  readonly published: (ScoreState & { readonly frozen: boolean }) | null;
}

/** A score as it stands and as it would stand. */
export interface Projection {
  /** `blank`: there is no score yet, so the projection starts where every record does. */
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
 * What the record would score if events were reported now, beside its published score. A frozen score does not show what
 * came after it, so the points that the events are worth are added to it. Qualifications and projects move nothing.
 */
export function projectScore(
  record: ProjectedRecord,
  events: readonly HypotheticalEvent[],
  now: Date,
): Projection {
  return projectorOf(record, now)(events);
}

/** The same for several sets of events on one record, which is weighed once. */
export function projectorOf(
  { tallies, published }: ProjectedRecord,
  now: Date,
): (events: readonly HypotheticalEvent[]) => Projection {
  const asOf = dayOf(now);
  const record = mergeTallies(tallies);
  const frozen = published?.frozen ?? false;
  const current = published ? { score: published.score, band: published.band } : BLANK;
  const heldBack = frozen ? pointsBetween(stateOf(score(record, asOf)).score, current.score) : 0;
  return (events) => {
    const added = foldTallies(events.map((event) => ({ ...event, createdAt: now })));
    const reached = stateOf(score(mergeTallies(record, added), asOf));
    const projected = frozen ? moved(reached.score, heldBack) : reached;
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

function moved(from: number, points: number): ScoreState {
  const score = Math.min(100, Math.max(0, pointsBetween(-points, from)));
  return { score, band: scoreBandOf(score) };
}

function stateOf(result: Score | null): ScoreState {
  return result ? { score: result.finalScore, band: result.scoreBand } : BLANK;
}
