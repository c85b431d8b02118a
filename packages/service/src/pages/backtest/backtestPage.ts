import { scoreBands } from '@reliability/scoring';
import { type Cell, type FormulaReport, type GroupCell, groupings } from '#domain/backtest/formulaFigures.js';
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
import { type Html, html } from '#kit/html.js';
import type { TypedAnswer } from '#kit/http/answer.js';
import { hostedAnswer } from '../hosted/layout.js';
import { stylesheet } from '../hosted/style.js';
import { english } from '../texts/texts.js';
import { axisOf, shareText } from './axis.js';
import { curveChart } from './curveChart.js';
import { type IntervalRow, intervalChart } from './intervalChart.js';
import { movesChart } from './movesChart.js';

/** A backtest as a page with pictures. It is complete in itself and loads nothing. */
export function backtestPage({
  baseUrl,
}: {
  baseUrl: string;
}): (report: BacktestReport) => TypedAnswer<200, string> {
  const { host } = new URL(baseUrl);
  return (report) => {
    const title = 'Backtest: what scores were worth';
    const page = { status: 200, title, main: contentOf(report), platform: null, style };
    const { headers, body } = hostedAnswer(page, { texts: english, opener: null, host });
    const { Vary: _, ...fixedHeaders } = headers ?? {};
    return { status: 200, body: String(body), headers: fixedHeaders };
  };
}

function contentOf(report: BacktestReport): Html {
  const { comparison } = report;
  return html`<p class="asks">Backtest</p>
<h1>What scores were worth</h1>
<p>${summaryOf(report)}</p>
<p class="note">A score measures how much reliability is proven. It is not the probability that the next job is kept. A newcomer with a low score can be as reliable as anybody: nothing is proven yet.</p>
${report.pairs > 0 && figuresOf(report)}
${comparison && comparisonOf(report, comparison)}
<h2>How to read these figures</h2>
<ul>${meanings.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<h2>Limits</h2>
<ul>${report.caveats.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<p class="soft">Scoring formula ${report.formulaVersion}.</p>`;
}

const meanings = [
  'Kept: the outcome was positive, or its dispute ended for the subject. Broken: a breach, or a dispute lost.',
  'A line through a point is its 95 % interval. Where lines overlap widely, do not read anything into the order of the points.',
  'AUC: the share of cases in which a kept outcome had the higher value. 0.5 is chance, 1 is perfect. Rates over few outcomes ' +
    'are noisy, and outcomes have luck in them, so nothing reaches 1.',
  'Rates need 100 pairs. With fewer only the number of pairs is shown.',
];

function figuresOf(report: FormulaReport): Html {
  return html`<h2>Kept outcomes by band</h2>
<p>${bandsInWords(report)}</p>
${cellChart(
  'bands',
  'Kept outcomes by band',
  report.bands.map(({ band, ...cell }) => ({ name: band, ...cell })),
)}
<h2>Do higher scores keep more?</h2>
<p>${rankingInWords(report)}</p>
${rankingChart(report)}
<h2>Kept outcomes by score</h2>
<p>${calibrationInWords(report)}</p>
${report.calibration.curve.some(({ kept }) => kept !== null) ? curveChart(report.calibration.curve, curveInWords(report)) : html`<p class="soft">No range of five points has 100 pairs.</p>`}
${groupings.map((grouping) => groupSection(groupingNames[grouping], grouping, report.groups[grouping]))}`;
}

interface NamedCell extends Cell {
  readonly name: string;
}

function cellChart(id: string, title: string, cells: readonly NamedCell[]): Html {
  const rows = cells.map(
    ({ name, n, kept, ci95 }): IntervalRow => ({
      name,
      value: kept,
      ci95,
      text: kept === null ? 'too few' : percent(kept),
      note: `of ${counted(n)}`,
    }),
  );
  const description = cells
    .map(({ name, n, kept, ci95 }) =>
      kept === null
        ? `${name}: ${n} pairs.`
        : `${name}: ${percent(kept)} of ${n}, ${intervalText(ci95, percent)}.`,
    )
    .join(' ');
  return intervalChart(rows, { id, title, description, axis: axisOf(valuesOf(rows), shareText) });
}

function valuesOf(rows: readonly IntervalRow[]): number[] {
  return rows.flatMap(({ value, ci95 }) => [value, ...(ci95 ?? [])]).filter((value) => value !== null);
}

function rankingChart({ discrimination: { auc, ci95, rivals } }: FormulaReport): Html {
  const entries = Object.entries(rivals) as [keyof typeof rivals, number | null][];
  const rows: IntervalRow[] = [
    { name: 'Score', value: auc, ci95, text: threeDigits(auc), note: 'AUC', isMain: true },
    ...entries.map(([name, value]) => ({
      name: rivalNames[name],
      value,
      ci95: null,
      text: threeDigits(value),
      note: 'AUC',
    })),
  ];
  const description = rows.map(({ name, text }) => `${name}: ${text}.`).join(' ');
  return intervalChart(rows, {
    id: 'auc',
    title: 'AUC of the score and of simpler predictors',
    description,
    // With chance in sight: beyond it a predictor is worth nothing.
    axis: axisOf([0.5, ...valuesOf(rows)], String),
  });
}

function curveInWords({ calibration: { curve } }: FormulaReport): string {
  return curve
    .filter(({ kept }) => kept !== null)
    .map(
      ({ from, to, predicted, kept, n }) =>
        `Scores from ${from} to ${to}: predicted ${percent(predicted)}, kept ${percent(kept)} of ${n}.`,
    )
    .join(' ');
}

function groupSection(title: string, id: string, cells: readonly GroupCell[]): Html {
  const known = cells.filter(({ n }) => n > 0);
  const named = known.map(({ group, n, kept, ci95 }) => ({ name: groupName(group), n, kept, ci95 }));
  const aucs = known.filter(({ auc }) => auc !== null);
  return html`<h2>${title}</h2>
${cellChart(id, title, named)}
${aucs.length > 0 && html`<p class="soft">AUC of the score within each group: ${aucs.map(({ group, auc }) => `${groupName(group)} ${threeDigits(auc)}`).join(', ')}.</p>`}`;
}

function comparisonOf(report: FormulaReport, comparison: Comparison): Html {
  const { report: other, aucDifference, moves, warnings } = comparison;
  return html`<h2>Under other constants</h2>
<p>The same pairs, scored with <code>${JSON.stringify(comparison.constants)}</code>.</p>
${warnings.map((warning) => html`<p class="note">${warning}</p>`)}
<p>The AUC would be ${threeDigits(other.discrimination.auc)} instead of ${threeDigits(report.discrimination.auc)}. The difference is ${differenceText(aucDifference.value)} (${intervalText(aucDifference.ci95, differenceText)}).</p>
<div class="wide" role="region" aria-label="Bands under both formulas" tabindex="0"><table>
<thead><tr><th scope="col">Band</th><th scope="col">Pairs now</th><th scope="col">Kept now</th><th scope="col">Pairs then</th><th scope="col">Kept then</th></tr></thead>
<tbody>${report.bands.map(({ band, n, kept }, rank) => {
    const then = other.bands[rank];
    return html`<tr><th scope="row">${band}</th><td>${counted(n)}</td><td>${percent(kept)}</td><td>${counted(then?.n ?? 0)}</td><td>${percent(then?.kept ?? null)}</td></tr>`;
  })}</tbody>
</table></div>
<h2>What the change would move</h2>
<p>${movesInWords(moves)}</p>
${moves.subjects > 0 && movesChart(moves, movesInWords(moves))}
<h2>From band to band</h2>
<div class="wide" role="region" aria-label="Subjects from band to band" tabindex="0"><table>
<thead><tr><th scope="col">Now</th>${scoreBands.map((band) => html`<th scope="col">${band}</th>`)}</tr></thead>
<tbody>${scoreBands.map(
    (from) =>
      html`<tr><th scope="row">${from}</th>${scoreBands.map((to) => {
        const subjects =
          moves.bands.find((change) => change.from === from && change.to === to)?.subjects ?? 0;
        return html`<td${from === to && html` class="same"`}>${subjects}</td>`;
      })}</tr>`,
  )}</tbody>
</table></div>
<p class="soft">Each row says where the subjects of a band would be.</p>`;
}

function differenceText(value: number | null): string {
  return value === null ? '–' : signedPoints(value, 3);
}

const style = stylesheet(`
header, main, footer { max-width: 46rem; }
.chart { margin: 1rem 0; }
.chart svg { display: block; width: 100%; height: auto; }
.chart text { font: 12px system-ui, sans-serif; fill: var(--soft); }
.chart .name { fill: var(--ink); }
.chart .strong { fill: var(--ink); font-weight: 650; }
.chart .middle { text-anchor: middle; }
.chart .end { text-anchor: end; }
.grid { stroke: var(--line); }
.interval { stroke: var(--accent); stroke-width: 4; stroke-linecap: round; opacity: .4; fill: none; }
.dot { fill: var(--accent); stroke: var(--paper); stroke-width: 1.5; }
.bar { fill: var(--accent); }
.line { fill: none; stroke: var(--soft); stroke-width: 2; }
.chart .large { display: none; }
.key-line, .key-dot { display: inline-block; vertical-align: middle; }
.key-line { width: 1.5rem; border-top: 2px solid var(--soft); }
.key-dot { width: .625rem; height: .625rem; border-radius: 50%; background: var(--accent); margin-left: .75rem; }
.wide { overflow-x: auto; margin: 1rem 0; }
.wide:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; line-height: 1.45; overflow-wrap: normal; }
th, td { text-align: end; padding: .375rem 0 .375rem .75rem; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
th:first-child { text-align: start; padding-left: 0; }
thead th { color: var(--soft); font-weight: 400; vertical-align: bottom; }
tbody th { font-weight: 400; }
.same { color: var(--soft); }
@media (min-width: 40rem) { .chart .large { display: block; } .chart .small { display: none; } }
@media print { .chart .large { display: block; } .chart .small { display: none; } .chart { break-inside: avoid; } h2 { break-after: avoid; } }
@media (forced-colors: active) { .interval, .grid, .line { stroke: CanvasText; } .dot, .bar { fill: CanvasText; } .chart text { fill: CanvasText; } }
`);
