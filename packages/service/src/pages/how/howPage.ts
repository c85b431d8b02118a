import { type Factor, factorNames, model, type Score } from '@reliability/scoring';
import { fill } from '#domain/fill.js';
import { type Html, html } from '#kit/html.js';
import { countText, pointsText, roundedText, scoreText } from '../hosted/formats.js';
import type { HostedPage } from '../hosted/layout.js';
import { stylesheet } from '../hosted/style.js';
import type { Texts } from '../texts/texts.js';
import { bandClass } from '../verify/bandColors.js';
import { bandRangeOf } from '../verify/bandRange.js';
import { rowsCss } from '../verify/rows.js';
import { bandScale, scoreCardCss } from '../verify/scoreCard.js';
import { AGE_STEP_DAYS, firstExample, MAX_AGE_DAYS, maxCounts, outcomes, scoreOf } from './example.js';

const firstScore = scoreOf(firstExample) as Score;

/** The page that explains the score. Without its script it shows the first example. */
export function howPage(texts: Texts): HostedPage {
  const { how } = texts;
  const main = html`<p class="asks">${how.kind}</p>
<h1>${how.heading}</h1>
${how.lead.map((text) => html`<p>${text}</p>`)}
<h2>${how.tryHeading}</h2>
<p class="with-script" hidden>${how.tryLead}</p>
<p class="note without-script">${how.withoutScript}</p>
${example(texts)}
<h2>${how.bandsHeading}</h2>
<ul class="bands">${model.bands.map(
    ({ band }) =>
      html`<li><span class="band ${bandClass(band)}">${texts.bands[band]}</span> ${bandRangeOf(band, texts)}</li>`,
  )}</ul>
<h2>${how.countsHeading}</h2>
<ul>${how.counts.map((text) => html`<li>${fill(text, numbersOf(texts))}</li>`)}</ul>
<h2>${how.formulaHeading}</h2>
<p>${how.formulaLead}</p>
${formula(texts)}
<h2>${how.notHeading}</h2>
<ul>${how.not.map((text) => html`<li>${text}</li>`)}</ul>
<h2>${how.moreHeading}</h2>
<ul><li><a href="check">${how.more.check}</a></li><li><a href="api/v1/scoring/model">${how.more.model}</a></li><li><a href="docs">${how.more.docs}</a></li></ul>`;
  return {
    status: 200,
    title: how.title,
    main,
    platform: null,
    languageForm: { action: 'how' },
    script: 'how.js',
    style,
  };
}

export function numbersOf(texts: Texts) {
  return {
    start: countText(model.anchor, texts),
    severity: countText(model.breachSeverity, texts),
    ceiling: scoreText(model.fairCeiling, texts),
    halfLifeDays: countText(model.halfLifeDays, texts),
  };
}

/** The score stays in view while its outcomes are changed. The script replaces the figures. */
function example(texts: Texts): Html {
  return html`<div id="result" data-max="${model.scoreMaximum}" data-locale="${texts.locale}">
${exampleScore(texts)}
${exampleForm(texts)}
${exampleSum(texts)}
${wordsForScript(texts)}
</div>`;
}

/** Hidden until the script shows it. */
function exampleForm({ how }: Texts): Html {
  const { counts, ageDays, stakeLevel, platformTier } = firstExample;
  return html`<form id="example" class="slip" hidden>
${outcomes.map((name) => slider({ name, label: how.outcomes[name], value: counts[name], max: maxCounts[name], text: String(counts[name]) }))}
${slider({ name: 'ageDays', label: how.age, value: ageDays, max: MAX_AGE_DAYS, step: AGE_STEP_DAYS, text: fill(how.days, { days: ageDays }) })}
${choice('stakeLevel', how.stake, how.stakes, stakeLevel)}
${choice('platformTier', how.tier, how.tiers, platformTier)}
<p><button type="reset">${how.reset}</button></p>
</form>`;
}

interface Slider {
  readonly name: string;
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly step?: number;
  readonly text: string;
}

function slider({ name, label, value, max, step = 1, text }: Slider): Html {
  return html`<p class="slider"><label for="${name}">${label}</label> <output for="${name}">${text}</output>
<input type="range" id="${name}" name="${name}" min="0" max="${max}" step="${step}" value="${value}"></p>`;
}

function choice(
  name: string,
  label: string,
  options: Readonly<Record<string, string>>,
  chosen: string,
): Html {
  return html`<p class="choice"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">${Object.entries(options).map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )}</select></p>`;
}

function exampleScore(texts: Texts): Html {
  const { how, verify } = texts;
  const { finalScore, scoreBand } = firstScore;
  return html`<section class="slip score-card">
<p class="score" aria-live="polite"><strong data-figure="score">${scoreText(finalScore, texts)}</strong> <span class="of">${verify.of}</span> <span data-figure="band" class="band ${bandClass(scoreBand)}">${texts.bands[scoreBand]}</span></p>
${bandScale(finalScore, scoreBand)}
<p data-figure="none" hidden>${how.noScore}</p>
</section>`;
}

function exampleSum(texts: Texts): Html {
  const { how, verify } = texts;
  const { finalScore, factors, confidence, confidenceLabel } = firstScore;
  const laterScore = (years: number) => scoreText(scoreOf(firstExample, 365 * years)?.finalScore ?? 0, texts);
  return html`<section id="sum" class="slip">
<h3>${how.sumHeading}</h3>
<dl class="rows">
${row(how.start, scoreText(model.anchor, texts))}
${factorNames.map((name) => row(how.factors[name], pointsText(factors[name], texts), { figure: name, note: how.factorNotes[name] }))}
${row(how.total, scoreText(finalScore, texts), { figure: 'total' })}
</dl>
<dl class="rows">
${row(how.evidence, verify.evidenceOf[confidenceLabel], { figure: 'evidence', note: fill(verify.confidence, { value: roundedText(confidence, texts) }), noteFigure: 'confidence' })}
</dl>
<h3>${how.laterHeading}</h3>
<dl class="rows">
${row(how.later.year, laterScore(1), { figure: 'year' })}
${row(how.later.twoYears, laterScore(2), { figure: 'twoYears' })}
</dl>
</section>`;
}

interface RowExtras {
  readonly figure?: Factor | 'total' | 'evidence' | 'year' | 'twoYears';
  readonly note?: string;
  readonly noteFigure?: 'confidence';
}

function row(name: string, value: string, { figure, note, noteFigure }: RowExtras = {}): Html {
  return html`<div><dt>${name}${note !== undefined && html` <small${noteFigure && html` data-figure="${noteFigure}"`}>${note}</small>`}</dt><dd${figure && html` data-figure="${figure}"`}>${value}</dd></div>`;
}

/** The words that depend on the figures, for the script. */
function wordsForScript({ bands, how, verify }: Texts): Html {
  const words = {
    bands,
    bandClasses: Object.fromEntries(model.bands.map(({ band }) => [band, bandClass(band)])),
    evidence: verify.evidenceOf,
    confidence: verify.confidence,
    days: how.days,
    today: how.today,
  };
  return html`<template id="words" data-words="${JSON.stringify(words)}"></template>`;
}

/** The four lines of the formula, with the constants that the service uses. */
function formula(texts: Texts): Html {
  const { how } = texts;
  const { weights, halfLifeDays, evidenceHalf, unverifiedGateMax, unverifiedHalf, anchor, fairCeiling } =
    model;
  const number = (value: number) => roundedText(value, texts);
  const lines = [
    [`b = stake × tier × 2^(−days / ${number(halfLifeDays)})`, how.formulaNotes.weight],
    [
      `Q = 100 · (${number(weights.completion)} C + ${number(weights.timeliness)} T + ${number(weights.disputes)} S + ${number(weights.verification)} V)`,
      how.formulaNotes.quality,
    ],
    [
      `start = ${number(anchor)} + (Qu − ${number(anchor)}) · ${number(unverifiedGateMax)} · Mu / (Mu + ${number(unverifiedHalf)}); score = start + (Q − start) · M / (M + ${number(evidenceHalf)})`,
      how.formulaNotes.score,
    ],
    [
      `score ≤ ${number(fairCeiling)}; score ≥ ${number(anchor)} · ${number(evidenceHalf)} / (B + ${number(evidenceHalf)})`,
      how.formulaNotes.limits,
    ],
  ] as const;
  return html`<dl class="formula">${lines.map(([line, note]) => html`<div><dt><code>${line}</code></dt><dd>${note}</dd></div>`)}</dl>`;
}

const style = stylesheet(`${scoreCardCss}${rowsCss}
#example { padding-bottom: 1rem; }
.slider { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; align-items: baseline; margin: 0 0 .75rem; }
.slider input { grid-column: 1 / -1; width: 100%; min-height: 2.25rem; margin: 0; accent-color: var(--accent); }
.slider output { font-weight: 600; font-variant-numeric: tabular-nums; }
.choice label { display: block; margin: 0 0 .375rem; }
.choice select { font: inherit; width: 100%; min-height: 2.75rem; color: var(--ink); background: var(--paper); border: 2px solid var(--edge); border-radius: .375rem; padding: 0 .625rem; }
#example button { font: inherit; min-height: 2.75rem; padding: 0 .875rem; color: var(--ink); background: var(--slip); border: 2px solid var(--edge); border-radius: .375rem; cursor: pointer; }
input:focus-visible, select:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
#result > .score-card { position: sticky; top: 0; z-index: 1; padding-top: 1rem; padding-bottom: 1rem; gap: .5rem; }
#sum { padding-bottom: 1.375rem; }
#sum .rows { margin: 0; padding: 0; border-top: 1px solid var(--line); }
#sum .rows div { display: flex; }
#sum .rows + .rows { border-top: 0; }
#sum .rows dt { color: var(--ink); }
#sum .rows small { color: var(--soft); }
#sum h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
#sum h3:first-child { margin-top: 0; }
.bands { list-style: none; padding: 0; }
.bands li { padding: 0; }
.formula div { padding: .625rem 0; border-top: 1px solid var(--line); }
.formula dd { color: var(--soft); }
`);
