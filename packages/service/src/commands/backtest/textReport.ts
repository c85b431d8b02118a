import { type Cell, type FormulaReport, groupings } from '#domain/backtest/formulaFigures.js';
import type { BacktestReport, Comparison } from '#domain/backtest/report.js';
import {
  bandsInWords,
  calibrationInWords,
  counted,
  groupingNames,
  groupName,
  intervalText,
  movesInWords,
  percent,
  rankingInWords,
  rivalNames,
  signedPoints,
  summaryOf,
  threeDigits,
} from '#domain/backtest/report.js';
import { textTable } from '#kit/terminal.js';

const WIDTH = 100;

export function textReport(report: BacktestReport): string {
  const { comparison } = report;
  return [
    ...wrapped(summaryOf(report)),
    ...(report.pairs > 0 ? figures(report) : []),
    ...(comparison ? comparisonLines(report, comparison) : []),
    '',
    'Limits:',
    ...report.caveats.flatMap((caveat) => wrapped(caveat, '- ', '  ')),
  ].join('\n');
}

function figures(report: FormulaReport): string[] {
  const { auc, ci95, rivals } = report.discrimination;
  const entries = Object.entries(rivals) as [keyof typeof rivals, number | null][];
  return [
    '',
    ...table(report.bands.map(({ band, ...cell }) => ({ Band: band, ...cellTexts(cell) }))),
    ...wrapped(bandsInWords(report)),
    '',
    ...table(
      [
        ['Score', auc, intervalText(ci95, threeDigits)] as const,
        ...entries.map(([name, ofRival]) => [rivalNames[name], ofRival, ''] as const),
      ].map(([Predictor, value, range]) => ({ Predictor, AUC: threeDigits(value), '95 % interval': range })),
    ),
    ...wrapped(rankingInWords(report)),
    '',
    ...wrapped(calibrationInWords(report)),
    ...groupings.flatMap((grouping) => [
      '',
      ...table(
        report.groups[grouping]
          .filter(({ n }) => n > 0)
          .map(({ group, auc: ofGroup, ...cell }) => ({
            [groupingNames[grouping]]: groupName(group),
            ...cellTexts(cell),
            AUC: threeDigits(ofGroup),
          })),
      ),
    ]),
  ];
}

function cellTexts({ n, kept, ci95 }: Cell) {
  return { Pairs: counted(n), Kept: percent(kept), '95 % interval': intervalText(ci95, percent) };
}

function comparisonLines(report: FormulaReport, comparison: Comparison): string[] {
  const { report: other, aucDifference, moves, warnings } = comparison;
  const change = (value: number) => signedPoints(value, 3);
  const difference = aucDifference.value === null ? '–' : change(aucDifference.value);
  return [
    '',
    `Under ${JSON.stringify(comparison.constants)}:`,
    ...warnings.flatMap((warning) => wrapped(warning, '! ', '  ')),
    `AUC ${threeDigits(other.discrimination.auc)} instead of ${threeDigits(report.discrimination.auc)}, ` +
      `difference ${difference} (${intervalText(aucDifference.ci95, change)})`,
    '',
    ...table(
      report.bands.map(({ band, n, kept }, rank) => ({
        Band: band,
        'Pairs now': counted(n),
        'Kept now': percent(kept),
        'Pairs then': counted(other.bands[rank]?.n ?? 0),
        'Kept then': percent(other.bands[rank]?.kept ?? null),
      })),
    ),
    '',
    ...wrapped(movesInWords(moves)),
    ...(moves.quantiles
      ? table([
          Object.fromEntries(
            Object.entries(moves.quantiles).map(([name, points]) => [name, signedPoints(points, 2)]),
          ),
        ])
      : []),
    '',
    ...table(
      moves.bands
        .filter(({ from, to }) => from !== to)
        .map(({ from, to, subjects }) => ({ 'From band': from, 'To band': to, Subjects: String(subjects) })),
    ),
  ];
}

function table(rows: readonly Readonly<Record<string, string>>[]): string[] {
  return rows.length === 0 ? [] : textTable(rows).map((line) => `  ${line}`);
}

function wrapped(text: string, first = '', others = ''): string[] {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(' ')) {
    const isEmpty = line === first || line === others;
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = `${others}${word}`;
    } else line += isEmpty ? word : ` ${word}`;
  }
  return [...lines, line];
}
