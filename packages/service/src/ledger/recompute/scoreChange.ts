import type { Components, Factor, ScoreBand } from '@reliability/scoring';
import type { EnvelopeDraft } from '#outbox/envelopes.js';

/** The reason of a snapshot that only ageing changed. */
export const DECAY = 'decay';

/** The reason of a snapshot by which a frozen score catches up. */
export const VELOCITY_CLEARED = 'velocity_cleared';

export type Positions = Readonly<Record<string, number>>;

export interface ScoreChange {
  readonly subjectId: string;
  readonly externalId: string;
  readonly platformId: string;
  readonly livemode: boolean;
  /** Null: there was no score before. */
  readonly before: {
    readonly score: number;
    readonly band: ScoreBand;
    readonly verifiedEvents: number;
  } | null;
  readonly after: {
    readonly score: number;
    readonly band: ScoreBand;
    readonly confidence: number;
    readonly totalEvents: number;
    readonly verifiedEvents: number;
    readonly behavioralQuality: number;
    readonly components: Components | null;
    readonly factors: Readonly<Record<Factor, number>>;
  };
  readonly snapshotNo: number;
  /** The ledger positions that the snapshot counts, by member of the record. */
  readonly positions: Positions;
  readonly formulaVersion: string;
  readonly computedAt: Date;
  /** As in the snapshot; null for events. */
  readonly reason: string | null;
}

/** The envelopes of a change: the score if its value changed, the band if an event changed it. */
export function scoreDraftsOf(change: ScoreChange): EnvelopeDraft[] {
  const { before, after } = change;
  const common = {
    platformId: change.platformId,
    livemode: change.livemode,
    subjectId: change.subjectId,
    data: {
      user: { externalId: change.externalId },
      score: after.score,
      band: after.band,
      previousScore: before?.score ?? null,
      previousBand: before?.band ?? null,
      confidence: after.confidence,
      totalEvents: after.totalEvents,
      verifiedEvents: after.verifiedEvents,
      behavioralQuality: after.behavioralQuality,
      formulaVersion: change.formulaVersion,
      computedAt: change.computedAt.toISOString(),
      reason: change.reason,
    },
  };
  const drafts: EnvelopeDraft[] = [];
  if (before?.score !== after.score) drafts.push({ type: 'score.updated', ...common });
  if (before && before.band !== after.band) drafts.push({ type: 'score.band_changed', ...common });
  return drafts;
}
