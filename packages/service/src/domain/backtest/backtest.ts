import {
  type Day,
  FORMULA_VERSION,
  type FormulaConstants,
  isoFromDay,
  model,
  type ReplayBy,
} from '@reliability/scoring';
import type { SubjectType } from '../catalogues/enums.js';
import { createFormulaFigures, createMoveCounter, rounded, roundedInterval } from './formulaFigures.js';
import { type BacktestReport, type Comparison, caveatsOf } from './report.js';
import { drawsOf, percentileInterval } from './statistics.js';
import { createSubjectFold, type SubjectFold } from './subjectFold.js';

export interface OtherFormula {
  readonly constants: FormulaConstants;
  readonly given: object;
  readonly warnings: readonly string[];
}

interface BacktestPlan {
  options: BacktestOptions;
  cutoffs: Cutoffs;
  today: Day;
  other: OtherFormula | null;
}

export const OTHER_FORMULA = 'custom';

/** Every figure is a sum of whole numbers: the same ledger gives the same report (RULES B8). */
export function createBacktest({ options, cutoffs, today, other }: BacktestPlan) {
  const formulas = [model, ...(other ? [other.constants] : [])];
  const figures = formulas.map(() => createFormulaFigures());
  const moves = createMoveCounter();
  let [pairs, keptPairs, unscoredPairs, subjects] = [0, 0, 0, 0];
  const { by, everyDays, horizonDays } = options;

  return {
    fold: () =>
      createSubjectFold({
        by,
        cutoffs: cutoffs.days,
        everyDays,
        horizonDays,
        formulas,
        today: other ? today : null,
      }),
    take(subjectId: string, subjectType: SubjectType, fold: SubjectFold): void {
      const { observations, current } = fold.finish();
      const [now, changed] = current ?? [];
      if (now && changed) moves.add(now, changed);
      if (observations.length === 0) return;
      const subject = { subjectType, ...drawsOf(subjectId) };
      let hasPair = false;
      for (const observation of observations) {
        const n = observation.kept + observation.broken;
        if (!observation.scores) {
          unscoredPairs += n;
          continue;
        }
        hasPair = true;
        pairs += n;
        keptPairs += observation.kept;
        for (const [index, score] of observation.scores.entries())
          figures[index]?.add(subject, observation, score);
      }
      if (hasPair) subjects += 1;
    },
    report(): BacktestReport {
      const [published, custom] = figures;
      if (!published) throw new Error('a backtest has at least one formula');
      const formulaReport = published.report(FORMULA_VERSION);
      const facts = {
        ...formulaReport,
        by,
        asOf: cutoffs.days.map(isoFromDay),
        everyDays,
        horizonDays,
        pairs,
        subjects,
        unscoredPairs,
        baseRate: pairs === 0 ? null : rounded(keptPairs / pairs),
      };
      const caveats = caveatsOf(facts, cutoffs.leftOut);
      if (!other || !custom) return { ...facts, caveats };
      const otherReport = custom.report(OTHER_FORMULA);
      const comparison: Comparison = {
        constants: other.given,
        warnings: other.warnings,
        report: otherReport,
        aucDifference: {
          value: difference(otherReport.discrimination.auc, formulaReport.discrimination.auc),
          ci95:
            formulaReport.discrimination.ci95 &&
            roundedInterval(percentileInterval(differences(custom.replicates(), published.replicates()))),
        },
        moves: moves.moves(),
      };
      return { ...facts, caveats, comparison };
    },
  };
}

export type Backtest = ReturnType<typeof createBacktest>;

function difference(auc: number | null, from: number | null): number | null {
  return auc === null || from === null ? null : rounded(auc - from);
}

/** Replicate by replicate, which takes out what both have in common. */
function differences(aucs: Float64Array, from: Float64Array): Float64Array {
  return aucs.map((auc, replicate) => auc - (from[replicate] ?? Number.NaN));
}

export interface BacktestOptions {
  /** Whether an event is known from its report on or from the day it happened. */
  readonly by: ReplayBy;
  readonly everyDays: number;
  /** Days after a cut-off whose outcomes count. */
  readonly horizonDays: number;
  /** First and last possible cut-off. Null: from the first event, up to the last with a whole horizon. */
  readonly from: Day | null;
  readonly to: Day | null;
}

export const DEFAULT_EVERY_DAYS = 30;
export const DEFAULT_HORIZON_DAYS = 90;
export const MAX_STEP_DAYS = 3660;

/** The cut-offs of a backtest: a UTC day each, all the same distance apart. */
interface Cutoffs {
  readonly days: readonly Day[];
  /** Earlier ones that were left out to bound the work. */
  readonly leftOut: number;
}

/** Fifty years of months, or a year and a half of days. */
export const MAX_CUTOFFS = 600;

/**
 * From the first day in steps, while the horizon has ended: its last day is before today. Past
 * MAX_CUTOFFS the latest are kept.
 * @param firstEventOn null: there is no event.
 */
export function cutoffsOf(
  { from, to, everyDays, horizonDays }: BacktestOptions,
  firstEventOn: Day | null,
  today: Day,
): Cutoffs {
  const first = from ?? firstEventOn;
  if (first === null) return { days: [], leftOut: 0 };
  const last = Math.min(to ?? Number.POSITIVE_INFINITY, today - horizonDays);
  const count = Math.max(0, Math.floor((last - first) / everyDays) + 1);
  const leftOut = Math.max(0, count - MAX_CUTOFFS);
  const days = Array.from({ length: count - leftOut }, (_, index) => first + (leftOut + index) * everyDays);
  return { days, leftOut };
}
