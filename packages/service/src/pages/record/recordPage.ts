import { fill } from '#domain/fill.js';
import { type Html, html } from '#kit/html.js';
import type { OwnRecord } from '../../features/records/own/readOwnRecord.js';
import { dateText, pointsText, scoreText } from '../hosted/formats.js';
import type { HostedPage } from '../hosted/layout.js';
import { type Stylesheet, stylesheet } from '../hosted/style.js';
import { chartCss, scoreChart } from '../report/chart.js';
import { courseInWords, reasons, sumOf } from '../report/reportPage.js';
import { bidiIsolate, linked, type Texts } from '../texts/texts.js';
import { bandClass, type DisplayBand, displayBands } from '../verify/bandColors.js';
import { bandRangeOf } from '../verify/bandRange.js';
import { rows, rowsCss } from '../verify/rows.js';
import { scoreCardCssOf } from '../verify/scoreCard.js';
import type { RecordContent } from './content.js';
import { objections } from './objections.js';
import { outcomeList } from './outcomeList.js';

/** A subject's own record (RULES Z5). No script: it has to work on every phone. */
export function recordPage(content: RecordContent, texts: Texts): HostedPage {
  const { token, livemode, record, refused } = content;
  const words = texts.record;
  const platform = bidiIsolate(record.platform.name);
  const main = html`<p class="asks">${fill(words.title, { platform })}</p>
<h1>${words.heading}</h1>
${!livemode && html`<p class="note">${texts.testNote}</p>`}
<p>${fill(words.lead, { platform, subject: bidiIsolate(record.userId) })}</p>
${scored(record, texts)}
${suggested(content, texts)}
<h2>${words.outcomesHeading}</h2>
${outcomeList(content, texts)}
${elsewhere(content, platform, texts)}
${objections(content, texts)}
${take(content, texts)}
<p class="note">${fill(words.keep, { platform })}</p>
<p>${linked(words.how, `../how/${record.platform.id}`, { platform })}</p>`;
  return {
    status: refused === null ? 200 : 409,
    title: fill(words.title, { platform }),
    main,
    platform,
    ...(refused === null && { languageForm: { action: encodeURIComponent(token) } }),
    style: styles.get(record.score?.scoreBand ?? 'none'),
  };
}

function scored({ score, course, reasons: why }: OwnRecord, texts: Texts): Html {
  const { report, verify } = texts;
  if (!score || !why) return html`<p class="note">${verify.unscoredNote}</p>`;
  const description = courseInWords(course, texts);
  const { finalScore, scoreBand, frozen } = score;
  return html`<section class="slip score-card">
<p class="score"><strong>${scoreText(finalScore, texts)}</strong> <span class="of">${verify.of}</span> <span class="band ${bandClass(scoreBand)}">${texts.bands[scoreBand]}</span></p>
<p>${bandRangeOf(scoreBand, texts)}</p>
${frozen && html`<p class="note">${verify.frozen}</p>`}
</section>
<p>${why.summary}</p>
<h2>${report.courseHeading}</h2>
<figure class="chart">${scoreChart(thinned(course), description, CHART, texts)}
<figcaption>${description} ${report.courseNote}</figcaption></figure>
<h2>${report.sumHeading}</h2>
${rows(sumOf({ ...score, ...why }, texts))}
<h2>${report.raisesHeading}</h2>
${reasons(why.supportingFactors, report.raisesNothing)}
<h2>${report.lowersHeading}</h2>
${reasons(why.adverseActionReasons, report.lowersNothing)}`;
}

/** The labels can be read on a small phone. */
const CHART = { id: 'course', width: 340, height: 230, ticks: 2, maxDots: 0 };
const MAX_POINTS = 40;

/** So that the page stays small; the last point stays. */
function thinned<Point>(course: readonly Point[]): readonly Point[] {
  const each = Math.ceil(course.length / MAX_POINTS);
  return course.filter((_, index) => (course.length - 1 - index) % each === 0);
}

function suggested({ suggestions, record }: RecordContent, texts: Texts): Html | null {
  const { record: words, bands } = texts;
  if (!record.score) return null;
  const lines = suggestions.map(({ kind, count, finalScore, scoreBand, delta }) => {
    const score = scoreText(finalScore, texts);
    const points = fill(words.points, { points: pointsText(delta, texts) });
    const result = fill(words.helps.result, { score, points, band: bands[scoreBand] });
    return fill(words.helps[kind][count === 1 ? 'one' : 'several'], { count, result });
  });
  return html`<h2>${words.helpsHeading}</h2>
${lines.length === 0 ? html`<p>${words.helpsNothing}</p>` : html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul><p class="soft">${words.helpsNote}</p>`}`;
}

/** One line: nothing else of other platforms is shown. */
function elsewhere({ record: { linked } }: RecordContent, platform: string, texts: Texts): Html | null {
  if (!linked || linked.since === null) return null;
  const { record: words } = texts;
  const { outcomes, since, points } = linked;
  const name = fill(words.elsewhere[outcomes === 1 ? 'one' : 'several'], {
    count: outcomes,
    day: dateText(since, texts),
  });
  const value = points === null ? '' : fill(words.points, { points: pointsText(points, texts) });
  return html`<h2>${words.elsewhereHeading}</h2>
${rows([{ name, value, note: fill(words.elsewhereNote, { platform }) }])}`;
}

/** Downloads, and the public link, which only live subjects have. */
function take({ token, livemode, share }: RecordContent, { record: words, tag }: Texts): Html {
  const own = encodeURIComponent(token);
  return html`<h2>${words.takeHeading}</h2>
<p>${words.takeLead}</p>
<p><a class="do" href="${own}/data.json" download>${words.takeJson}</a> <a class="do" href="${own}/data.csv" download>${words.takeCsv}</a></p>
${
  livemode &&
  html`<h2 id="share">${words.shareHeading}</h2>
<p>${words.shareLead} ${share?.includeProfile && words.shareProfile}</p>
${share && html`<p>${words.shareActive}<br><a href="${share.verifyUrl}">${share.verifyUrl}</a></p>`}
<form method="post" action="${own}/share?lang=${tag}">
<button class="do" name="action" value="${share ? 'stop' : 'start'}">${share ? words.shareStop : words.shareStart}</button>
${share && html`<p class="soft">${words.shareStopNote}</p>`}
</form>`
}`;
}

/** With the colours of one band alone, so that the page stays small. */
const styles = new Map(displayBands.map((band) => [band, styleOf(band)]));

function styleOf(band: DisplayBand): Stylesheet {
  return stylesheet(`${scoreCardCssOf([band])}${rowsCss}${chartCss}
.score-card { margin: 1.5rem 0 1rem; }
.chart svg { max-width: 26rem; overflow: visible; direction: ltr; }
.list { list-style: none; padding: 0; margin: 0 0 1rem; }
.list li { border-top: 1px solid var(--line); padding: .75rem 0; margin: 0; }
.list p { margin: 0 0 .25rem; }
.what { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
.what b { flex: none; font-variant-numeric: tabular-nums; }
.list blockquote { margin: .5rem 0; }
:target { background: var(--tint); }
label { font-weight: 600; }
textarea { display: block; width: 100%; min-height: 8rem; margin: .25rem 0 1rem; padding: .625rem; font: inherit; color: inherit; background: var(--slip); border: 2px solid var(--edge); border-radius: .375rem; }
textarea:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.do { display: inline-block; min-height: 2.75rem; padding: .5rem 1rem; margin-block-end: .5rem; margin-inline-end: .5rem; font: inherit; font-weight: 600; color: var(--ink); background: var(--slip); border: 2px solid var(--edge); border-radius: .625rem; text-decoration: none; cursor: pointer; }
.do:hover { border-color: var(--accent); background: var(--tint); }
`);
}
