import type { ReplayBy } from '@reliability/scoring';
import texts from '../../../data/backtestReport.json' with { type: 'json' };
import { fill } from '../fill.js';
import type { ScoreMoves } from './formulaFigures.js';
import { type FormulaReport, type Grouping, MIN_PAIRS, type Rival } from './formulaFigures.js';
import type { Interval } from './statistics.js';

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

export function percent(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toFixed(1)} %`;
}

export function counted(count: number): string {
  return count.toLocaleString('en');
}

export function threeDigits(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}

export function intervalText(
  ci95: readonly [number, number] | null,
  textOf: (value: number) => string,
): string {
  return ci95 === null ? '–' : `${textOf(ci95[0])} to ${textOf(ci95[1])}`;
}

export function summaryOf(report: BacktestReport): string {
  const { by, asOf, everyDays, horizonDays, pairs, subjects, baseRate } = report;
  const [first, last] = [asOf[0], asOf.at(-1)];
  if (first === undefined || last === undefined) return 'There was nothing to compare.';
  const cutoffs =
    first === last
      ? `one cut-off, ${first}`
      : `${asOf.length} cut-offs from ${first} to ${last}, every ${daysText(everyDays)}`;
  const known =
    by === 'recorded' ? 'what was recorded before the cut-off' : 'what had happened before the cut-off';
  return (
    `${counted(pairs)} pairs of ${counted(subjects)} subjects at ${cutoffs}. A pair is the score of a subject, from ${known}, and one verified outcome ` +
    `of the next ${daysText(horizonDays)}.${baseRate === null ? '' : ` ${percent(baseRate)} of these outcomes were kept.`}`
  );
}

function daysText(days: number): string {
  return days === 1 ? 'day' : `${days} days`;
}

export const rivalNames: Readonly<Record<Rival, string>> = texts.rivals;
export const groupingNames: Readonly<Record<Grouping, string>> = texts.groupings;
const groupNames: Readonly<Record<string, string>> = texts.groups;

export function rankingInWords({ discrimination: { auc, ci95, rivals } }: FormulaReport): string {
  if (auc === null) return 'Nothing can be said: outcomes of both kinds are needed, kept and broken.';
  const interval = ci95 === null ? '' : ` (${intervalText(ci95, threeDigits)})`;
  const named = Object.entries(rivals).flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
  const [best] = named.sort((a, b) => b.value - a.value);
  const sentence =
    `Of a kept and a broken outcome the kept one had the higher score in ${(auc * 100).toFixed(1)} % of cases, ties counting ` +
    `half: the AUC is ${threeDigits(auc)}${interval}. Chance is 0.5.`;
  if (!best) return sentence;
  const rival = `${rivalNames[best.name as Rival]} reaches ${threeDigits(best.value)}.`;
  return best.value > auc
    ? `${sentence} A simpler predictor ranks better: ${rival}`
    : `${sentence} No simpler predictor ranks better: ${rival}`;
}

export function bandsInWords({ bandsMonotone }: FormulaReport): string {
  if (bandsMonotone === null) return 'Too few bands have 100 pairs to compare them.';
  return bandsMonotone
    ? 'No higher band kept fewer outcomes than a lower one.'
    : 'A higher band kept fewer outcomes than a lower one.';
}

export function calibrationInWords({
  calibration: { brier, brierOfBaseRate, skill },
}: FormulaReport): string {
  if (brier === null || brierOfBaseRate === null || skill === null)
    return 'Nothing can be said: both halves of the subjects need outcomes of both kinds.';
  const verdict = skill > 0 ? 'less than' : skill < 0 ? 'more than' : 'as much as';
  return (
    `Predictions from the score are wrong by a mean squared error (Brier score) of ${brier.toFixed(4)}, ${verdict} the ` +
    `${brierOfBaseRate.toFixed(4)} of predicting the same rate for everybody. The skill is ${(skill * 100).toFixed(1)} %.`
  );
}

export function groupName(group: string): string {
  return groupNames[group] ?? group;
}

/** A difference with its sign: `+1.25`, `−0.3`, `0`. */
export function signedPoints(points: number, decimals: number): string {
  const text = String(Math.abs(Number(points.toFixed(decimals))));
  return text === '0' ? text : `${points < 0 ? '−' : '+'}${text}`;
}

export function movesInWords({ subjects, up, down, unchanged, quantiles }: ScoreMoves): string {
  if (!quantiles) return 'No subject has a score.';
  const [lowest, median, highest] = [quantiles.min, quantiles.median, quantiles.max].map((points) =>
    signedPoints(points, 2),
  );
  return (
    `Of ${counted(subjects)} current scores ${counted(up)} would rise, ${counted(down)} would fall and ${counted(unchanged)} would not change. ` +
    `The median move is ${median} points, the lowest ${lowest}, the highest ${highest}.`
  );
}

/** What a reader of the figures has to know, the most general first. */
export function caveatsOf(
  { by, asOf, everyDays, horizonDays, pairs, unscoredPairs }: Omit<BacktestReport, 'caveats'>,
  leftOutCutoffs: number,
): string[] {
  const repeats = Math.ceil(horizonDays / everyDays);
  const { caveats } = texts;
  const applying = [
    caveats.proven,
    caveats.onlyServed,
    caveats[by],
    caveats.ownLedger,
    caveats.disputed,
    repeats > 1 ? caveats.repeated : caveats.notRepeated,
    asOf.length === 0 ? caveats.noCutoff : pairs < MIN_PAIRS && caveats.fewPairs,
    unscoredPairs > 0 && caveats.unscored,
    leftOutCutoffs > 0 && caveats.leftOut,
  ].filter((text) => text !== false);
  const unscored = counted(unscoredPairs);
  const values = { repeats, horizonDays, pairs, minPairs: MIN_PAIRS, unscored, leftOut: leftOutCutoffs };
  return applying.map((text) => fill(text, values));
}
