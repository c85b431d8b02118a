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
import { pointsBetween } from './factorChange.js';

/** An event that has not happened: what the formula would read of it. */
export interface HypotheticalEvent {
  readonly eventType: EventType;
  readonly stakeLevel: StakeLevel;
  readonly platformTier: PlatformTier;
  readonly isVerified: boolean;
  readonly dueDate: Date | null;
  readonly completedAt: Date | null;
}

export interface Standing {
  readonly score: number;
  readonly band: ScoreBand;
}

/** A score as it stands and as it would stand (DECISIONS 4 "Project"). */
export interface Projection {
  /** `blank`: there is no event yet, so the projection starts where every record does. */
  readonly baseline: 'record' | 'blank';
  readonly current: Standing;
  readonly projected: Standing;
  readonly delta: {
    /** Points, two decimals. */
    readonly score: number;
    readonly band: { readonly from: ScoreBand; readonly to: ScoreBand } | null;
  };
}

/**
 * What the record with these tallies would score if events were reported now. Both figures are of today, so age moves
 * neither against the other. Qualifications and projects move nothing, as they never do.
 */
export function projectScore(
  tallies: readonly Tally[],
  events: readonly HypotheticalEvent[],
  now: Date,
): Projection {
  return projectorOf(tallies, now)(events);
}

/** The same for several sets of events on one record, which is weighed once. */
export function projectorOf(
  tallies: readonly Tally[],
  now: Date,
): (events: readonly HypotheticalEvent[]) => Projection {
  const asOf = dayOf(now);
  const record = mergeTallies(tallies);
  const before = score(record, asOf);
  const current = standingOf(before);
  return (events) => {
    const added = foldTallies(events.map((event) => ({ ...event, createdAt: now })));
    const projected = standingOf(score(mergeTallies(record, added), asOf));
    const hasNewBand = current.band !== projected.band;
    return {
      baseline: before ? 'record' : 'blank',
      current,
      projected,
      delta: {
        score: pointsBetween(current.score, projected.score),
        band: hasNewBand ? { from: current.band, to: projected.band } : null,
      },
    };
  };
}

const BLANK: Standing = { score: model.anchor, band: scoreBandOf(model.anchor) };

function standingOf(result: Score | null): Standing {
  return result ? { score: result.finalScore, band: result.scoreBand } : BLANK;
}
