import { dayOf, type Factor, isoFromDay } from '@reliability/scoring';
import type { ReliabilityReport } from '../../features/credentials/report/schemas.js';
import { type Html, html } from '../../kit/html.js';
import type { TypedAnswer } from '../../kit/http/answer.js';
import { dateText, momentText } from '../hosted/formats.js';
import { hostedAnswer } from '../hosted/layout.js';
import { stylesheet } from '../hosted/style.js';
import { en } from '../texts/en.js';
import { bidiIsolate } from '../texts/texts.js';
import { bandClass } from '../verify/bandColors.js';
import { type Row, rows, rowsCss } from '../verify/rows.js';
import { bandScale, scoreCardCss } from '../verify/scoreCard.js';
import { type ChartSize, chartCss, scoreChart } from './chart.js';

/** The report as a page to print. In English, like the reason texts. */
export function reportPage({
  baseUrl,
}: {
  baseUrl: string;
}): (report: ReliabilityReport) => TypedAnswer<200, string> {
  const { host } = new URL(baseUrl);
  return (report) => {
    const platform = bidiIsolate(report.platformName);
    const title = `Reliability report: ${bidiIsolate(report.userId)}`;
    const page = { status: 200, title, main: contentOf(report, host), platform, style };
    const { headers, body } = hostedAnswer(page, { texts: en, opener: null, host });
    const { Vary: _, ...fixedHeaders } = headers ?? {};
    return { status: 200, body: String(body), headers: fixedHeaders };
  };
}

function contentOf(report: ReliabilityReport, host: string): Html {
  const { userId, platformName, summary, supportingFactors, adverseActionReasons } = report;
  return html`<p class="asks">Reliability report</p>
<h1><bdi>${userId}</bdi></h1>
<p class="soft">This is the name that ${bidiIsolate(platformName)} uses. ${host} created the report on ${momentText(report.generatedAt, en)}.</p>
${scoreCard(report)}
<p>${summary}</p>
<h2>Score over time</h2>
${scoreCourse(report)}
${publishedChanges(report)}
<h2>What the score is based on</h2>
${rows(basisOf(report))}
<h2>How the score adds up</h2>
${rows(sumOf(report))}
<h2>What raises the score</h2>
${reasons(supportingFactors, 'Nothing stands out yet.')}
<h2>What lowers the score</h2>
${reasons(adverseActionReasons, 'Nothing stands out.')}
<h2>Please note</h2>
<ul>${report.disclosures.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<p class="soft">Scoring formula ${report.formulaVersion}, reason codes ${report.reasonCodesVersion}. The score was calculated on ${momentText(report.computedAt, en)}.</p>`;
}

function scoreCard({ finalScore, scoreBand, frozen }: ReliabilityReport): Html {
  return html`<section class="slip score-card">
<p class="score"><strong>${finalScore.toFixed(2)}</strong> <span class="of">${en.verify.of}</span> <span class="band ${bandClass(scoreBand)}">${scoreBand}</span></p>
${bandScale(finalScore, scoreBand)}
${frozen && html`<p class="note">${en.verify.frozen}</p>`}
</section>`;
}

const LARGE: ChartSize = { id: 'course', width: 720, height: 300, ticks: 4 };
const SMALL: ChartSize = { id: 'course-small', width: 340, height: 260, ticks: 2 };

/** Two charts, so that the labels are readable at every width. CSS hides one of them, also from screen readers. */
function scoreCourse({ course, courseStep }: ReliabilityReport): Html {
  const description = courseInWords(course);
  return html`<figure class="chart">
<div class="large">${scoreChart(course, description, LARGE)}</div>
<div class="small">${scoreChart(course, description, SMALL)}</div>
<figcaption>${description} Each result counts from the day on which it happened.</figcaption>
</figure>
<details><summary>The same as a table</summary>
<table>
<thead><tr><th scope="col">${lastDays[courseStep]}</th><th scope="col">Score</th><th scope="col">Band</th><th scope="col">New results</th></tr></thead>
<tbody>${course
    .toReversed()
    .map(
      ({ day, finalScore, scoreBand, outcomes }) =>
        html`<tr><td>${dateText(day, en)}</td><td>${finalScore.toFixed(2)}</td><td>${scoreBand}</td><td>${outcomes}</td></tr>`,
    )}</tbody>
</table></details>`;
}

const lastDays = { day: 'Day', week: 'Week up to', month: 'Month up to' };

function courseInWords(course: ReliabilityReport['course']): string {
  const [first, last] = [course[0], course.at(-1)];
  if (!first || !last) return '';
  const scoreOn = ({ finalScore, day }: typeof last) => `${finalScore.toFixed(2)} on ${dateText(day, en)}`;
  if (last === first) return `The score was ${scoreOn(first)}. There is no earlier result.`;
  const scores = course.map(({ finalScore }) => finalScore);
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  return `From ${scoreOn(first)} to ${scoreOn(last)}. Lowest ${lowest.toFixed(2)}, highest ${highest.toFixed(2)}.`;
}

/** What was published, and when. */
function publishedChanges({ history, historyThinned }: ReliabilityReport): Html {
  return html`<details><summary>Scores as they were published</summary>
${historyThinned && html`<p>Not every change is shown.</p>`}
<table>
<thead><tr><th scope="col">Date</th><th scope="col">Score</th><th scope="col">Results, confirmed</th><th scope="col">Reason</th></tr></thead>
<tbody>${history.map(
    ({ computedAt, finalScore, scoreBand, totalEvents, verifiedEvents, reason }) =>
      html`<tr><td>${momentText(computedAt, en)}</td><td>${finalScore.toFixed(2)} ${scoreBand}</td><td>${totalEvents}, ${verifiedEvents}</td><td>${whyOf(reason)}</td></tr>`,
  )}</tbody>
</table></details>`;
}

const whys: Readonly<Record<string, string>> = {
  decay: 'Older results count less',
  velocity_cleared: 'A check was completed',
  linked: 'Results of another platform were added',
  unlinked: 'Results of another platform were removed',
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
  const { verifiedByClass, verificationDepth, verifiedPlatforms, tenure, registeredAt } = restsOn;
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
    { name: verify.registered, value: dateText(isoFromDay(dayOf(registeredAt)), en) },
  ];
}

const factorNames: Readonly<Record<Factor, string>> = {
  completion: 'Agreements kept',
  timeliness: 'On time',
  disputes: 'Disputes',
  verification: 'Confirmation by others',
  gate: 'Floor and ceiling',
};

/** From the starting score to the final score. The points add up exactly. */
function sumOf({ startingScore, factors, finalScore }: ReliabilityReport): Row[] {
  return [
    { name: 'Starting score of every record', value: startingScore.toFixed(2) },
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

const style = stylesheet(`${scoreCardCss}${rowsCss}${chartCss}
header, main, footer { max-width: 46rem; }
.score-card { margin: 1.5rem 0; }
.rows dt { max-width: 34rem; }
.rows div:last-child { border-bottom: 0; }
details { margin: 0 0 1rem; }
summary { min-height: 2.75rem; padding: .625rem 0; color: var(--accent); cursor: pointer; }
summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; line-height: 1.45; overflow-wrap: normal; }
th, td { text-align: start; vertical-align: top; padding: .375rem .5rem .375rem 0; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
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
