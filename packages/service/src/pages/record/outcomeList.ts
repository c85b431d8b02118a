import { fill } from '#domain/fill.js';
import { fillHtml, type Html, html } from '#kit/html.js';
import type { WorthOutcome } from '../../features/records/own/readOwnRecord.js';
import { dayText, pointsText } from '../hosted/formats.js';
import { bidiIsolate, type Texts } from '../texts/texts.js';
import { queryOf, type RecordContent } from './content.js';

/** The outcomes of one page, each with a way to object to it. */
export function outcomeList(content: RecordContent, texts: Texts): Html {
  const { record, page } = content;
  const { record: words, tag } = texts;
  if (record.outcomes.length === 0) return html`<p>${words.outcomesNone}</p>`;
  const platform = bidiIsolate(record.platform.name);
  return html`<p class="soft">${fill(words.reportedBy, { platform })} ${words.outcomesNote}</p>
<ol class="list">${record.outcomes.map((outcome) => item(outcome, content, texts))}</ol>
<p>${page !== undefined && html`<a class="do" href="?lang=${tag}">${words.newest}</a> `}${
    record.nextCursor !== null &&
    html`<a class="do" href="${queryOf({ page: record.nextCursor }, tag)}">${words.older}</a>`
  }</p>`;
}

function item(outcome: WorthOutcome, content: RecordContent, texts: Texts): Html {
  const { reviews } = content;
  const { record: words, tag } = texts;
  const { points, disputeStatus, respondBy } = outcome;
  const text = points === 0 ? words.noPoints : points !== null && pointsText(points, texts);
  const review = reviews.find(({ eventId }) => eventId === outcome.eventId);
  const dispute =
    disputeStatus &&
    fillHtml(words.disputes[disputeStatus], { day: respondBy && dayText(respondBy, texts.locale) });
  return html`
<li><p class="what"><span>${kindOf(outcome, texts)}</span>${text && html` <b>${text}</b>`}</p>
<p class="soft">${dayText(outcome.at, texts.locale)}. ${factsOf(outcome, texts)}${dispute && html` ${dispute}`}</p>
<p>${
    review?.status === 'OPEN'
      ? html`<a href="#r-${review.id}">${words.objected}</a>`
      : html`<a href="${queryOf(content, tag)}&amp;event=${outcome.eventId}#object">${words.object}</a>`
  }</p></li>`;
}

export function kindOf({ eventType }: Pick<WorthOutcome, 'eventType'>, { outcomes, record }: Texts): string {
  const kinds: Readonly<Record<string, string>> = { ...outcomes, ...record.engine };
  return kinds[eventType] ?? eventType;
}

function factsOf(outcome: WorthOutcome, { record: words }: Texts): Html {
  const { stakeLevel, onTime, isOfEngine, isVerified, confirmedBy } = outcome;
  if (isOfEngine) return html`${words.byService}`;
  const confirmed =
    confirmedBy === null
      ? words.confirmed
      : fillHtml(words.confirmedBy, { name: html`<bdi>${confirmedBy}</bdi>` });
  return html`${onTime === false && `${words.late} `}${words.stakes[stakeLevel]} ${isVerified ? confirmed : words.unconfirmed}`;
}
