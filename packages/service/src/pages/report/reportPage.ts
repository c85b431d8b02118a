import { dayOf, isoFromDay } from '@reliability/scoring';
import { fill } from '#domain/fill.js';
import { recordWords } from '#domain/languages.js';
import { type Html, html } from '#kit/html.js';
import type { ReliabilityReport, ReportDeps } from '../../features/records/report.js';
import { dateText, momentText, percentText, pointsText, roundedText, scoreText } from '../hosted/formats.js';
import { hostedAnswer } from '../hosted/layout.js';
import { stylesheet } from '../hosted/style.js';
import { chooseLanguage } from '../texts/chooseLanguage.js';
import { bidiIsolate, languages, type Texts } from '../texts/texts.js';
import { bandClass } from '../verify/bandColors.js';
import { type Row, rows, rowsCss } from '../verify/rows.js';
import { bandScale, scoreCardCss } from '../verify/scoreCard.js';
import { chartCss, scoreChart } from './chart.js';

/**
 * The report as a page to print. It contains every language: the page is opened with an API key, so a
 * link to another language would fail, and a saved page has no service to ask.
 */
export function reportPage({ baseUrl }: { baseUrl: string }): ReportDeps['showReport'] {
  const { host } = new URL(baseUrl);
  return (worded, { lang, acceptLanguage }) => {
    const chosen = chooseLanguage(lang, acceptLanguage);
    const versions = languages.map((texts) => ({ texts, report: worded(recordWords[texts.tag]) }));
    const [
      {
        report: { userId, platformName },
      },
    ] = versions as [(typeof versions)[0]];
    const page = {
      status: 200,
      title: fill(chosen.report.title, { subject: bidiIsolate(userId) }),
      main: html`${languageSwitch(chosen)}${versions.map((version) => versionOf(version, host))}`,
      platform: bidiIsolate(platformName),
      style,
    };
    const { headers, body } = hostedAnswer(page, { texts: chosen, opener: null, host });
    return { status: 200, body: String(body), headers };
  };
}

/** Radio buttons before the versions. CSS shows the version of the chosen one. */
function languageSwitch(chosen: Texts): Html {
  return html`${languages.map(
    ({ tag, name }) =>
      html`<input type="radio" name="language" class="pick" id="in-${tag}"${tag === chosen.tag && html` checked`}><label class="pick" for="in-${tag}" lang="${tag}">${name}</label>
`,
  )}`;
}

interface Version {
  readonly texts: Texts;
  readonly report: ReliabilityReport;
}

function versionOf({ texts, report }: Version, host: string): Html {
  const { userId, platformName, summary, supportingFactors, adverseActionReasons } = report;
  const { report: words, verify } = texts;
  const moment = momentText(report.generatedAt, texts);
  return html`<div class="version" lang="${texts.tag}">
<p class="asks">${words.kind}</p>
<h1><bdi>${userId}</bdi></h1>
<p class="soft">${fill(words.origin, { platform: bidiIsolate(platformName), host, moment })}</p>
${scoreCard(report, texts)}
<p>${summary}</p>
<h2>${words.courseHeading}</h2>
${scoreCourse(report, texts)}
${publishedChanges(report, texts)}
<h2>${verify.restsHeading}</h2>
${rows(basisOf(report, texts))}
<h2>${words.sumHeading}</h2>
${rows(sumOf(report, texts))}
<h2>${words.raisesHeading}</h2>
${reasons(supportingFactors, words.raisesNothing)}
<h2>${words.lowersHeading}</h2>
${reasons(adverseActionReasons, words.lowersNothing)}
<h2>${words.noteHeading}</h2>
<ul>${report.disclosures.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<p class="soft">${fill(words.versions, { formula: report.formulaVersion, codes: report.reasonCodesVersion, moment: momentText(report.computedAt, texts) })}</p>
</div>`;
}

function scoreCard({ finalScore, scoreBand, frozen }: ReliabilityReport, texts: Texts): Html {
  const { verify } = texts;
  return html`<section class="slip score-card">
<p class="score"><strong>${scoreText(finalScore, texts)}</strong> <span class="of">${verify.of}</span> <span class="band ${bandClass(scoreBand)}">${texts.bands[scoreBand]}</span>${texts.bands[scoreBand] !== scoreBand && html` <small>${fill(verify.apiName, { band: scoreBand })}</small>`}</p>
${bandScale(finalScore, scoreBand)}
${frozen && html`<p class="note">${verify.frozen}</p>`}
</section>`;
}

const LARGE = { width: 720, height: 300, ticks: 4 };
const SMALL = { width: 340, height: 260, ticks: 2 };

/** Two charts, so that the labels are readable at every width. CSS hides one of them, also from screen readers. */
function scoreCourse({ course, courseStep }: ReliabilityReport, texts: Texts): Html {
  const { report: words, tag } = texts;
  const description = courseInWords(course, texts);
  return html`<figure class="chart">
<div class="large">${scoreChart(course, description, { id: `course-${tag}`, ...LARGE }, texts)}</div>
<div class="small">${scoreChart(course, description, { id: `course-small-${tag}`, ...SMALL }, texts)}</div>
<figcaption>${description} ${words.courseNote}</figcaption>
</figure>
<details><summary>${words.asTable}</summary>
<table>
<thead><tr><th scope="col">${words.lastDays[courseStep]}</th><th scope="col">${words.score}</th><th scope="col">${words.band}</th><th scope="col">${words.newResults}</th></tr></thead>
<tbody>${course
    .toReversed()
    .map(
      ({ day, finalScore, scoreBand, outcomes }) =>
        html`<tr><td>${dateText(day, texts)}</td><td>${scoreText(finalScore, texts)}</td><td>${texts.bands[scoreBand]}</td><td>${outcomes}</td></tr>`,
    )}</tbody>
</table></details>`;
}

export function courseInWords(course: ReliabilityReport['course'], texts: Texts): string {
  const { report: words } = texts;
  const [first, last] = [course[0], course.at(-1)];
  if (!first || !last) return '';
  const scoreOn = ({ finalScore, day }: typeof last) =>
    fill(words.scoreOn, { score: scoreText(finalScore, texts), day: dateText(day, texts) });
  if (last === first) return fill(words.onlyDay, { score: scoreOn(first) });
  const scores = course.map(({ finalScore }) => finalScore);
  return fill(words.course, {
    first: scoreOn(first),
    last: scoreOn(last),
    lowest: scoreText(Math.min(...scores), texts),
    highest: scoreText(Math.max(...scores), texts),
  });
}

/** What was published, and when. */
function publishedChanges({ history, historyThinned }: ReliabilityReport, texts: Texts): Html {
  const { report: words } = texts;
  const reasons: Readonly<Record<string, string>> = words.reasons;
  const whyOf = (reason: string | null) => (reason === null ? words.newResults : (reasons[reason] ?? reason));
  return html`<details><summary>${words.publishedHeading}</summary>
${historyThinned && html`<p>${words.notAllShown}</p>`}
<table>
<thead><tr><th scope="col">${words.date}</th><th scope="col">${words.score}</th><th scope="col">${words.resultsConfirmed}</th><th scope="col">${words.reason}</th></tr></thead>
<tbody>${history.map(
    ({ computedAt, finalScore, scoreBand, totalEvents, verifiedEvents, reason }) =>
      html`<tr><td>${momentText(computedAt, texts)}</td><td>${scoreText(finalScore, texts)} ${texts.bands[scoreBand]}</td><td>${totalEvents}, ${verifiedEvents}</td><td>${whyOf(reason)}</td></tr>`,
  )}</tbody>
</table></details>`;
}

function basisOf(report: ReliabilityReport, texts: Texts): Row[] {
  const { restsOn, totalEvents, verifiedEvents, confidence, confidenceLabel } = report;
  const { verifiedByClass, verificationDepth, verifiedPlatforms, tenure, registeredAt } = restsOn;
  const { verify, report: words } = texts;
  const optional = (
    value: number | null | undefined,
    name: string,
    text: (value: number) => string = String,
  ) => (value === null || value === undefined ? [] : [{ name, value: text(value) }]);
  return [
    { name: verify.totalEvents, value: String(totalEvents) },
    { name: verify.verifiedEvents, value: String(verifiedEvents), note: verify.verifiedNote },
    {
      name: verify.evidence,
      value: verify.evidenceOf[confidenceLabel],
      note: fill(verify.confidence, { value: roundedText(confidence, texts) }),
    },
    ...optional(verifiedByClass?.positive, words.kept),
    ...optional(verifiedByClass?.breach, words.broken),
    ...optional(verifiedByClass?.contested, words.disputed),
    ...optional(verificationDepth, words.confirmedShare, (share) => percentText(share, texts)),
    { name: verify.verifiedPlatforms, value: String(verifiedPlatforms ?? 0) },
    ...(tenure
      ? [
          { name: words.first, value: dateText(tenure.firstOutcomeOn, texts) },
          { name: words.latest, value: dateText(tenure.lastOutcomeOn, texts) },
        ]
      : []),
    { name: verify.registered, value: dateText(isoFromDay(dayOf(registeredAt)), texts) },
  ];
}

/** From the starting score to the final score. The points add up exactly. */
export function sumOf(
  { startingScore, factors, finalScore }: Pick<ReliabilityReport, 'startingScore' | 'factors' | 'finalScore'>,
  texts: Texts,
): Row[] {
  const { report: words } = texts;
  return [
    { name: words.start, value: scoreText(startingScore, texts) },
    ...factors.map(({ name, contribution, description }) => ({
      name: words.factors[name],
      value: pointsText(contribution, texts),
      note: description,
    })),
    { name: words.total, value: scoreText(finalScore, texts) },
  ];
}

export function reasons(list: ReliabilityReport['supportingFactors'], none: string): Html {
  if (list.length === 0) return html`<p>${none}</p>`;
  return html`<ol class="reasons">${list.map(({ title, text }) => html`<li><strong>${title}</strong> ${text}</li>`)}</ol>`;
}

const style = stylesheet(`${scoreCardCss}${rowsCss}${chartCss}
header, main, footer { max-width: 46rem; }
.score-card { margin: 1.5rem 0; }
input.pick { position: absolute; opacity: 0; }
label.pick { display: inline-block; padding: .5rem .75rem; margin: 0 .25rem 1rem 0; border: 1px solid var(--line); border-radius: .375rem; color: var(--accent); cursor: pointer; }
:checked + label.pick { background: var(--tint); border-color: var(--accent); font-weight: 600; }
:focus-visible + label.pick { outline: 3px solid var(--accent); outline-offset: 3px; }
#in-en:checked ~ .version[lang=de], #in-de:checked ~ .version[lang=en] { display: none; }
.rows dt { max-width: 34rem; }
.rows div:last-child { border-bottom: 0; }
details { margin: 0 0 1rem; }
summary { min-height: 2.75rem; padding: .625rem 0; color: var(--accent); cursor: pointer; }
summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; line-height: 1.45; overflow-wrap: normal; }
th, td { text-align: start; vertical-align: top; padding: .375rem .5rem .375rem 0; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
th { color: var(--soft); font-weight: 400; }
@media (max-width: 26rem) { th, td { overflow-wrap: anywhere; hyphens: auto; } }
.reasons { margin: 0; padding-left: 1.5rem; }
.reasons strong { display: block; font-weight: 650; }
@media print {
  :root { --paper: #fff; --slip: #fff; --ink: #000; --soft: #43484e; --line: #c8c8c8; --edge: #767b82; --accent: #125b66; --tint: #eef3f2; color-scheme: light; }
  @page { margin: 18mm 16mm; }
  body { font-size: 10.5pt; line-height: 1.45; display: block; }
  header, main, footer { max-width: none; padding-left: 0; padding-right: 0; }
  .pick { display: none; }
  .slip { box-shadow: none; }
  .slip, .chart, .rows div, li { break-inside: avoid; }
  h2 { break-after: avoid; }
  details:not([open]) { display: none; }
  .stripe { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`);
