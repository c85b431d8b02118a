import type { ReplayBy, ScoreBand } from '@reliability/scoring';
import type { Interval } from './wilson.js';

/** Outcomes of one kind of pair. Rates are 0 to 1; null with fewer than MIN_PAIRS. */
export interface Cell {
  readonly n: number;
  readonly kept: number | null;
  readonly ci95: Interval | null;
}

export interface BandCell extends Cell {
  readonly band: ScoreBand;
}

export interface GroupCell extends Cell {
  readonly group: string;
  readonly auc: number | null;
}

/** Predicted and observed rates of the scores from `from` on and below `to`. */
export interface CurvePoint extends Cell {
  readonly from: number;
  readonly to: number;
  readonly predicted: number | null;
}

export const groupings = ['tenure', 'tier', 'subjectType', 'confidence'] as const;
export type Grouping = (typeof groupings)[number];

export type Rival = 'completionRate' | 'betaRate' | 'behavioralQuality' | 'lastOutcome';

export interface FormulaReport {
  readonly formulaVersion: string;
  readonly discrimination: {
    readonly auc: number | null;
    readonly ci95: Interval | null;
    /** The AUC of simpler predictors over the same pairs. */
    readonly rivals: Readonly<Record<Rival, number | null>>;
  };
  readonly calibration: {
    readonly brier: number | null;
    readonly brierOfBaseRate: number | null;
    readonly skill: number | null;
    readonly curve: readonly CurvePoint[];
  };
  readonly bands: readonly BandCell[];
  /** A higher band never has a lower kept rate. Null: fewer than two bands can be compared. */
  readonly bandsMonotone: boolean | null;
  readonly groups: Readonly<Record<Grouping, readonly GroupCell[]>>;
}

/** What the scores of a ledger were worth. A pair is a subject at a cut-off with one outcome that followed. */
export interface BacktestReport extends FormulaReport {
  readonly by: ReplayBy;
  readonly asOf: readonly string[];
  readonly everyDays: number;
  readonly horizonDays: number;
  readonly pairs: number;
  readonly subjects: number;
  readonly unscoredPairs: number;
  readonly baseRate: number | null;
  readonly caveats: readonly string[];
  readonly comparison?: Comparison;
}

/** The same pairs under other constants, and how the scores of today would move. */
export interface Comparison {
  readonly constants: object;
  readonly warnings: readonly string[];
  readonly report: FormulaReport;
  /** AUC of the other formula less that of the published one, over the same resamples. */
  readonly aucDifference: { readonly value: number | null; readonly ci95: Interval | null };
  readonly moves: ScoreMoves;
}

/** Current scores under the other constants, less those under the published ones. */
export interface ScoreMoves {
  readonly subjects: number;
  readonly up: number;
  readonly down: number;
  readonly unchanged: number;
  readonly mean: number | null;
  readonly quantiles: Readonly<
    Record<'min' | 'p05' | 'p25' | 'median' | 'p75' | 'p95' | 'max', number>
  > | null;
  /** Moves from `from` on and below `to`, in points. Empty ranges at both ends are left out. */
  readonly histogram: readonly { readonly from: number; readonly to: number; readonly subjects: number }[];
  readonly bands: readonly { readonly from: ScoreBand; readonly to: ScoreBand; readonly subjects: number }[];
}

/** Cells with fewer pairs show no rate (RULES B9). */
export const MIN_PAIRS = 100;
