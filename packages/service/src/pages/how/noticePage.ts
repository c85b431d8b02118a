import { FORMULA_VERSION, model, stakeLevels, weightedFactors } from '@reliability/scoring';
import { fill } from '#domain/fill.js';
import { DAY_MS } from '#domain/timestamp.js';
import { type Html, html } from '#kit/html.js';
import { type PlatformNotice, RECENT_EVENTS } from '../../features/tenancy/platforms/store.js';
import { countText, dateText, percentText, roundedText } from '../hosted/formats.js';
import type { HostedPage, Reader } from '../hosted/layout.js';
import { stylesheet } from '../hosted/style.js';
import { bidiIsolate, linked } from '../texts/texts.js';
import { rows, rowsCss } from '../verify/rows.js';
import { numbersOf } from './howPage.js';

export interface NoticeTerms {
  readonly reviewWindowMs: number;
  /** Undefined: texts are kept. */
  readonly retentionTextDays: number | undefined;
  readonly now: Date;
}

/** What a platform's people have to be told about the score (RULES Z11). Generated: it cannot differ from the formula. */
export function noticePage(platform: PlatformNotice, terms: NoticeTerms, reader: Reader): HostedPage {
  const { texts, host } = reader;
  const { notice, how } = texts;
  const name = bidiIsolate(platform.name);
  const values = {
    platform: name,
    host,
    ...numbersOf(texts),
    formula: FORMULA_VERSION,
    date: dateText(terms.now.toISOString().slice(0, 10), texts),
    days: countText(Math.ceil(terms.reviewWindowMs / DAY_MS), texts),
    count: countText(RECENT_EVENTS, texts),
    tier: notice.tiers[platform.trustTier],
    percent: percentText(model.tierMultipliers[platform.trustTier], texts),
  };
  const filled = (text: string) => fill(text, values);
  const list = (items: readonly string[]) =>
    html`<ul>${items.map((item) => html`<li>${filled(item)}</li>`)}</ul>`;
  const kept = terms.retentionTextDays;
  const keptTexts = kept === undefined ? [] : [fill(notice.keptTexts, { days: countText(kept, texts) })];
  const title = filled(notice.title);
  const main = html`<p class="asks">${notice.kind}</p>
<h1>${title}</h1>
${notice.lead.map((text) => html`<p>${filled(text)}</p>`)}
<p class="soft">${filled(notice.version)}</p>
<h2>${notice.dataHeading}</h2>
${list(notice.data)}
<h2>${notice.weightsHeading}</h2>
<p>${notice.weightsLead}</p>
${rows(
  weightedFactors.map((factor) => ({
    name: how.factors[factor],
    note: how.factorNotes[factor],
    value: percentText(model.weights[factor], texts),
  })),
)}
<p class="behind-rows">${filled(notice.stakeLead)}</p>
${rows(
  stakeLevels.map((level) => ({
    name: notice.stakes[level],
    ...(platform.stakeLevels.includes(level) ? {} : { note: filled(notice.unused) }),
    value: fill(notice.times, { weight: roundedText(model.stakeWeights[level], texts) }),
  })),
)}
<p class="behind-rows">${filled(notice.tier)}</p>
<p>${filled(notice.evidence)}</p>
${list(how.counts)}
<h2>${notice.useHeading}</h2>
${list([...notice.use, ...how.not])}
<h2>${notice.whoHeading}</h2>
${list(notice.who)}
<h2>${notice.keptHeading}</h2>
${list([...notice.kept, ...keptTexts])}
<h2>${notice.rightsHeading}</h2>
${list(notice.rights)}
<h2>${notice.contactHeading}</h2>
${contactOf(platform, name, reader)}
<h2>${how.moreHeading}</h2>
<ul><li><a href="../how">${how.heading}</a></li><li><a href="../api/v1/scoring/model">${how.more.model}</a></li></ul>`;
  return { status: 200, title, main, platform: name, languageForm: { action: '?' }, style };
}

function contactOf({ contact, privacyUrl }: PlatformNotice, platform: string, { texts }: Reader): Html {
  const { notice } = texts;
  const asked =
    contact === null
      ? fill(notice.noContact, { platform })
      : fill(notice.contact, { platform, contact: bidiIsolate(contact) });
  return html`<p>${asked}</p>
${privacyUrl !== null && html`<p>${linked(notice.privacy, privacyUrl, { platform })}</p>`}`;
}

const style = stylesheet(`${rowsCss}
.behind-rows { margin-top: 1.5rem; }
@media print { body { font-size: .8125rem; line-height: 1.45; } h2 { break-after: avoid; } li, .rows div { break-inside: avoid; } main { padding-bottom: 0; } }
`);
