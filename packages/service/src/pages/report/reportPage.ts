import type { Factor } from '@reliability/scoring';
import type { ReliabilityReport } from '../../features/credentials/report/loadReport.js';
import { type Html, html } from '../../kit/html.js';
import type { Answer } from '../../kit/http/answer.js';
import { dateText, momentText } from '../hosted/formats.js';
import { hostedAnswer } from '../hosted/layout.js';
import { stylesheet } from '../hosted/style.js';
import { en } from '../texts/en.js';
import { setApart } from '../texts/texts.js';
import { bandClass } from '../verify/bandColors.js';
import { bandScale, faceCss } from '../verify/face.js';
import { type Row, rows, rowsCss } from '../verify/rows.js';
import { type ChartSize, chartCss, scoreChart } from './chart.js';

/** The report as a page to print. In English, as the reasons in it are. */
export function reportPage({ baseUrl }: { baseUrl: string }): (report: ReliabilityReport) => Answer {
  const { host } = new URL(baseUrl);
  return (report) => {
    const platform = setApart(report.platformName);
    const title = `Reliability report: ${setApart(report.userId)}`;
    const page = { status: 200, title, main: contentOf(report, host), platform, style };
    const { headers, ...answer } = hostedAnswer(page, { texts: en, opener: null, host });
    const { Vary: _, ...fixedHeaders } = headers ?? {};
    return { ...answer, headers: fixedHeaders };
  };
}

function contentOf(report: ReliabilityReport, host: string): Html {
  const { userId, platformName, summary, supportingFactors, adverseActionReasons } = report;
  return html`<p class="asks">Reliability report</p>
<h1><bdi>${userId}</bdi></h1>
<p class="soft">This is the name that ${setApart(platformName)} uses. ${host} drew the report up on ${momentText(report.generatedAt, en)}.</p>
${face(report)}
<p>${summary}</p>
<h2>How it came about</h2>
${course(report)}
<h2>What it rests on</h2>
${rows(basisOf(report))}
<h2>What makes up the score</h2>
${rows(sumOf(report))}
<h2>What speaks for it</h2>
${reasons(supportingFactors, 'Nothing stands out yet.')}
<h2>What holds it down</h2>
${reasons(adverseActionReasons, 'Nothing does.')}
<h2>Please note</h2>
<ul>${report.disclosures.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<p class="soft">Scoring formula ${report.formulaVersion}, reason codes ${report.reasonCodesVersion}. The score was worked out on ${momentText(report.computedAt, en)}.</p>`;
}

function face({ finalScore, scoreBand, frozen }: ReliabilityReport): Html {
  return html`<section class="slip face">
<p class="score"><strong>${finalScore.toFixed(2)}</strong> <span class="of">${en.verify.of}</span> <span class="band ${bandClass(scoreBand)}">${scoreBand}</span></p>
${bandScale(finalScore, scoreBand)}
${frozen && html`<p class="note">${en.verify.frozen}</p>`}
</section>`;
}

const LARGE: ChartSize = { id: 'course', width: 720, height: 300, ticks: 4 };
const SMALL: ChartSize = { id: 'course-small', width: 340, height: 260, ticks: 2 };

/** Twice, so that the words in it can be read at every width; only one is there at a time, for readers of either kind. */
function course({ history, historyThinned, generatedAt }: ReliabilityReport): Html {
  const points = history.toReversed();
  const emitted = courseInWords(history);
  return html`<figure class="chart">
<div class="large">${scoreChart(points, generatedAt, emitted, LARGE)}</div>
<div class="small">${scoreChart(points, generatedAt, emitted, SMALL)}</div>
<figcaption>${emitted}${historyThinned && ' Not every change is shown.'}</figcaption>
</figure>
<details><summary>The same as a table</summary>
<table>
<thead><tr><th scope="col">When</th><th scope="col">Score</th><th scope="col">Band</th><th scope="col">Results, confirmed</th><th scope="col">Why</th></tr></thead>
<tbody>${history.map(
    ({ computedAt, finalScore, scoreBand, totalEvents, verifiedEvents, reason }) =>
      html`<tr><td>${momentText(computedAt, en)}</td><td>${finalScore.toFixed(2)}</td><td>${scoreBand}</td><td>${totalEvents}, ${verifiedEvents}</td><td>${whyOf(reason)}</td></tr>`,
  )}</tbody>
</table></details>`;
}

function courseInWords(history: ReliabilityReport['history']): string {
  const [last, first] = [history[0], history.at(-1)];
  if (!last || !first) return '';
  const scoreAt = ({ finalScore, computedAt }: typeof last) =>
    `${finalScore.toFixed(2)} on ${momentText(computedAt, en)}`;
  if (last === first) return `The score has been ${scoreAt(first)}, and has not changed since.`;
  const scores = history.map(({ finalScore }) => finalScore);
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  return `From ${scoreAt(first)} to ${scoreAt(last)}. Lowest ${lowest.toFixed(2)}, highest ${highest.toFixed(2)}.`;
}

const whys: Readonly<Record<string, string>> = {
  decay: 'Older results count less',
  velocity_cleared: 'A check ended',
  linked: 'Another platform’s results joined',
  unlinked: 'Another platform’s results left',
};

function whyOf(reason: string | null): string {
  return reason === null ? 'New results' : (whys[reason] ?? reason);
}

function basisOf({
  restsOn,
  totalEvents,
  verifiedEvents,
  confidence,
  confidenceLabel,
}: ReliabilityReport): Row[] {
  const { verifiedByClass, verificationDepth, verifiedPlatforms, tenure } = restsOn;
  const { verify } = en;
  return [
    { name: verify.totalEvents, value: String(totalEvents) },
    { name: verify.verifiedEvents, value: String(verifiedEvents), note: verify.verifiedNote },
    {
      name: verify.evidence,
      value: verify.evidenceOf[confidenceLabel],
      note: verify.confidence(confidence.toFixed(2)),
    },
    ...(verifiedByClass
      ? [
          { name: 'Confirmed agreements kept', value: String(verifiedByClass.positive) },
          { name: 'Confirmed agreements broken', value: String(verifiedByClass.breach) },
          { name: 'Confirmed results in dispute', value: String(verifiedByClass.contested) },
        ]
      : []),
    ...(verificationDepth === null
      ? []
      : [
          {
            name: 'Share of results confirmed by others',
            value: `${(verificationDepth * 100).toFixed(1)} %`,
          },
        ]),
    { name: verify.verifiedPlatforms, value: String(verifiedPlatforms ?? 0) },
    ...(tenure
      ? [
          { name: 'First confirmed result', value: dateText(tenure.firstOutcomeOn, en) },
          { name: 'Latest confirmed result', value: dateText(tenure.lastOutcomeOn, en) },
        ]
      : []),
  ];
}

const factorNames: Readonly<Record<Factor, string>> = {
  completion: 'Agreements kept',
  timeliness: 'On time',
  disputes: 'Disputes',
  verification: 'Confirmation by others',
  gate: 'Floor and ceiling',
};

/** From where every record starts to the score: the points add up exactly. */
function sumOf({ startingScore, factors, finalScore }: ReliabilityReport): Row[] {
  return [
    { name: 'Where every record starts', value: startingScore.toFixed(2) },
    ...factors.map(({ name, contribution, description }) => ({
      name: factorNames[name],
      value: pointsText(contribution),
      note: description,
    })),
    { name: 'The score', value: finalScore.toFixed(2) },
  ];
}

function pointsText(points: number): string {
  const sign = points === 0 ? '' : points < 0 ? '−' : '+';
  return `${sign}${Math.abs(points).toFixed(2)}`;
}

function reasons(list: ReliabilityReport['supportingFactors'], none: string): Html {
  if (list.length === 0) return html`<p>${none}</p>`;
  return html`<ol class="reasons">${list.map(({ title, text }) => html`<li><strong>${title}</strong> ${text}</li>`)}</ol>`;
}

const style = stylesheet(`${faceCss}${rowsCss}${chartCss}
header, main, footer { max-width: 46rem; }
.face { margin: 1.5rem 0; }
.rows dt { max-width: 34rem; }
.rows div:last-child { border-bottom: 0; }
details { margin: 0 0 1rem; }
summary { min-height: 2.75rem; padding: .625rem 0; color: var(--accent); cursor: pointer; }
summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; line-height: 1.45; }
th, td { text-align: start; vertical-align: top; padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
th { color: var(--soft); font-weight: 400; }
.reasons { margin: 0; padding-left: 1.5rem; }
.reasons strong { display: block; font-weight: 650; }
@media print {
  :root { --paper: #fff; --slip: #fff; --ink: #000; --soft: #43484e; --line: #c8c8c8; --edge: #767b82; --accent: #125b66; --tint: #eef3f2; color-scheme: light; }
  @page { margin: 18mm 16mm; }
  body { font-size: 10.5pt; line-height: 1.45; display: block; }
  header, main, footer { max-width: none; padding-left: 0; padding-right: 0; }
  .slip { box-shadow: none; }
  .slip, .chart, .rows div, li { break-inside: avoid; }
  h2 { break-after: avoid; }
  details:not([open]) { display: none; }
  .stripe { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`);
