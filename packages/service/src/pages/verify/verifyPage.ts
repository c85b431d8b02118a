import { confidenceLabelOf, dayOf, isoFromDay, model } from '@reliability/scoring';
import type { Concentration } from '#domain/concentration.js';
import { fill } from '#domain/fill.js';
import { fillHtml, type Html, html } from '#kit/html.js';
import type { LogInclusion } from '#ledger/log/inclusion.js';
import type { ProfessionalRecord } from '../../features/records/professionalFigures.js';
import type { SharedRecord, SharedScore } from '../../features/sharing/verify/sharedRecords.js';
import { countText, dateText, momentElement, roundedText, scoreText } from '../hosted/formats.js';
import type { HostedPage } from '../hosted/layout.js';
import { stylesheet } from '../hosted/style.js';
import { linked, type Texts } from '../texts/texts.js';
import { bandClass } from './bandColors.js';
import { bandRangeOf } from './bandRange.js';
import { type Row, rows, rowsCss } from './rows.js';
import { bandScale, scoreCardCss } from './scoreCard.js';

export interface VerifyContent {
  readonly token: string;
  readonly baseUrl: string;
  readonly shared: SharedRecord;
  /** null unless the subject agreed to show it. */
  readonly record: ProfessionalRecord | null;
  readonly tenureDays: number;
  /** null: there is no score, or the record is too large to compare. */
  readonly concentration: Concentration | null;
  /** null: the log does not hold the score yet. */
  readonly inclusion: LogInclusion | null;
}

/** The page of a share token: the score, what it is based on, what it is not, and how to check it. */
export function verifyPage(content: VerifyContent, texts: Texts): HostedPage {
  const { token, baseUrl, shared, record } = content;
  const { verify } = texts;
  const { score } = shared;
  const main = html`<p class="asks">${verify.kind}</p>
<h1>${verify.heading}</h1>
<p>${verify.lead}</p>
${score ? scored(score, content.inclusion, texts) : unscored(texts)}
${score && basisOf(score, content, texts)}
${record && confirmedResults(record, texts)}
<h2>${verify.whoseHeading}</h2>
${verify.whose.map((sentence) => html`<p class="close">${sentence}</p>`)}
<h2>${verify.notHeading}</h2>
<ul>${verify.not.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<h2>${verify.checkHeading}</h2>
${checks(content, texts)}
<p class="soft">${verify.token}: <code>${token}</code></p>`;
  const action = encodeURIComponent(token);
  const title = score
    ? fill(verify.title, { band: texts.bands[score.scoreBand], score: scoreText(score.finalScore, texts) })
    : verify.unscoredTitle;
  const preview = {
    url: `${baseUrl}/verify/${action}`,
    description: verify.lead,
    image: { url: `${baseUrl}/badge/${action}.svg`, type: 'image/svg+xml', alt: title },
  };
  return {
    status: 200,
    title,
    main,
    platform: null,
    languageForm: { action },
    localTimes: '../local-times.js',
    preview,
    style,
  };
}

function scored(score: SharedScore, inclusion: LogInclusion | null, texts: Texts): Html {
  const { verify } = texts;
  const { scoreBand, finalScore, frozen, computedAt } = score;
  return html`<section class="slip score-card">
<p class="score"><strong>${scoreText(score.finalScore, texts)}</strong> <span class="of">${verify.of}</span> <span class="band ${bandClass(scoreBand)}">${texts.bands[scoreBand]}</span></p>
${bandScale(finalScore, scoreBand)}
<p>${bandRangeOf(scoreBand, texts)}${texts.bands[scoreBand] !== scoreBand && html` <small>(${fill(verify.apiName, { band: scoreBand })})</small>`}</p>
${frozen && html`<p class="note">${verify.frozen}</p>`}
<p class="soft">${fillHtml(verify.computed, { moment: momentElement(computedAt, texts) })}<br>
${inclusion ? fillHtml(verify.loggedSince, { moment: momentElement(inclusion.since, texts) }) : verify.notLoggedYet}</p>
</section>`;
}

function unscored({ verify }: Texts): Html {
  return html`<section class="slip score-card">
<p class="score"><span class="band ${bandClass('none')}">${verify.unscored}</span></p>
${bandScale(null, null)}
<p>${verify.unscoredNote}</p>
</section>`;
}

function basisOf(
  score: SharedScore,
  { shared, tenureDays, concentration }: VerifyContent,
  texts: Texts,
): Html {
  const { verify } = texts;
  const registeredOn = isoFromDay(dayOf(shared.registeredAt));
  return html`<h2>${verify.restsHeading}</h2>
${rows([
  { name: verify.totalEvents, value: countText(score.totalEvents, texts) },
  { name: verify.verifiedEvents, value: countText(score.verifiedEvents, texts), note: verify.verifiedNote },
  ...confirmingParties(concentration, texts),
  { name: verify.verifiedPlatforms, value: countText(score.verifiedPlatforms, texts) },
  {
    name: verify.evidence,
    value: verify.evidenceOf[confidenceLabelOf(score.confidence)],
    note: fill(verify.confidence, { value: roundedText(score.confidence, texts) }),
  },
  {
    name: verify.registered,
    value: dateText(registeredOn, texts),
    note: tenureText(tenureDays, texts),
  },
])}`;
}

function tenureText(days: number, texts: Texts): string {
  const { today, one, other } = texts.verify.tenure;
  return fill(days === 0 ? today : days === 1 ? one : other, { days: countText(days, texts) });
}

/** How many parties confirmed, and how much the largest did. It is never named (RULES R14). */
function confirmingParties(concentration: Concentration | null, texts: Texts): Row[] {
  if (!concentration || concentration.verifiedOutcomes === 0) return [];
  const { distinctAttesters, largestAttesterOutcomes, largestAttesterIsPlatform, verifiedOutcomes } =
    concentration;
  const { parties, largest, largestIsPlatform } = texts.verify;
  const note = fill(largestAttesterIsPlatform ? largestIsPlatform : largest, {
    largest: countText(largestAttesterOutcomes, texts),
    all: countText(verifiedOutcomes, texts),
  });
  const value = countText(distinctAttesters, texts);
  return [{ name: parties, value, ...(largestAttesterOutcomes > 1 && { note }) }];
}

function confirmedResults({ verifiedByClass, tenure }: ProfessionalRecord, texts: Texts): Html | null {
  const { verify } = texts;
  if (verifiedByClass === null) return null;
  const days = tenure
    ? [
        { name: verify.first, value: dateText(tenure.firstOutcomeOn, texts) },
        { name: verify.last, value: dateText(tenure.lastOutcomeOn, texts) },
      ]
    : [];
  return html`<h2>${verify.recordHeading}</h2>
${rows([
  { name: verify.kept, value: countText(verifiedByClass.positive, texts) },
  { name: verify.broken, value: countText(verifiedByClass.breach, texts) },
  { name: verify.disputed, value: countText(verifiedByClass.contested, texts) },
  ...days,
])}
<p class="soft">${verify.recordNote}</p>`;
}

/** Relative links lead to the service that shows the page. */
function checks({ token, baseUrl, shared, inclusion }: VerifyContent, texts: Texts): Html {
  const { verify } = texts;
  const { list, index } = shared.status;
  const version = shared.score?.formulaVersion ?? model.formulaVersion;
  const encoded = encodeURIComponent(token);
  return html`<ol>
<li>${fill(verify.address, { start: `${baseUrl}/verify/` })}</li>
<li>${verify.now}</li>
<li>${linked(verify.formula, '../how', { version })}</li>
<li>${linked(verify.data, `../api/v1/verify/${encoded}`)}</li>
<li>${linked(verify.check, '../check')} ${linked(verify.keys, '../.well-known/did.json')} ${linked(verify.status, `../api/v1/status-lists/${list}`, { list: String(list), entry: String(index) })}</li>
${inclusion && html`<li>${linked(verify.logged, '../log/checkpoint', { leaf: countText(inclusion.leafIndex, texts) })}</li>`}
</ol>`;
}

const style = stylesheet(`${scoreCardCss}${rowsCss}.close { margin-bottom: .5rem; }
ol { margin: 0 0 1.5rem; padding-left: 1.5rem; }
`);
