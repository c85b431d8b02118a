import type { ReplayBy } from '@reliability/scoring';
import type { FormulaReport } from './formulaFigures.js';
import type { ScoreMoves } from './scoreMoves.js';
import type { Interval } from './wilson.js';

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
