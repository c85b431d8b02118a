import { fill } from '#domain/fill.js';
import { fillHtml, type Html, html } from '#kit/html.js';
import type { Review } from '../../features/attestation/reviews/schemas.js';
import { dayText } from '../hosted/formats.js';
import { bidiIsolate, type Texts } from '../texts/texts.js';
import { queryOf, type RecordContent } from './content.js';
import { kindOf } from './outcomeList.js';

/** The file with everything has all of them. */
const MAX_SHOWN = 12;

/** Objections with their answers, the open ones first, and the form for another one. */
export function objections(content: RecordContent, texts: Texts): Html {
  const { record, reviews } = content;
  const { record: words } = texts;
  const platform = bidiIsolate(record.platform.name);
  const shown = [
    ...reviews.filter(({ status }) => status === 'OPEN'),
    ...reviews.filter(({ status }) => status !== 'OPEN'),
  ].slice(0, MAX_SHOWN);
  return html`<h2 id="reviews">${words.reviewsHeading}</h2>
<p>${fill(words.reviewsLead, { platform })} ${words.reviewsNote}</p>
${shown.length > 0 && html`<ul class="list">${shown.map((review) => item(review, content, texts))}</ul>`}
${form(content, texts)}`;
}

function item(review: Review, { token, record }: RecordContent, texts: Texts): Html {
  const { record: words, tag } = texts;
  const { id, eventId, status, text, answer, openedAt } = review;
  const what =
    eventId === null ? words.aboutRecord : (aboutOutcome(eventId, record, texts) ?? words.aboutOne);
  return html`
<li id="r-${id}"><p>${what}</p>
${text !== null && html`<blockquote dir="auto">${text}</blockquote>`}
<p class="soft">${fill(words.sent, { day: dayText(openedAt, texts.locale) })} ${stateOf(review, record.platform.name, texts)}</p>
${answer !== null && html`<blockquote dir="auto">${answer}</blockquote>`}
${
  status === 'OPEN' &&
  html`<form method="post" action="${encodeURIComponent(token)}/reviews/${id}/withdraw?lang=${tag}"><button class="do">${words.withdraw}</button></form>`
}</li>`;
}

function stateOf(review: Review, platform: string, texts: Texts): Html {
  const { record: words } = texts;
  const { status, overdue, respondBy, reviewer, answeredAt, outcome } = review;
  if (status === 'WITHDRAWN') return html`${words.withdrawn}`;
  if (status === 'OPEN') {
    const day = dayText(respondBy, texts.locale);
    return html`${fill(overdue ? words.overdue : words.due, { platform: bidiIsolate(platform), day })}`;
  }
  return fillHtml(words.answered, {
    name: html`<bdi>${reviewer ?? platform}</bdi>`,
    day: answeredAt && dayText(answeredAt, texts.locale),
    outcome: outcome && words.outcomes[outcome],
  });
}

/** Null: it is not on this page. */
function aboutOutcome(eventId: string, { outcomes }: RecordContent['record'], texts: Texts): string | null {
  const outcome = outcomes.find((one) => one.eventId === eventId);
  if (!outcome) return null;
  return fill(texts.record.about, { what: kindOf(outcome, texts), day: dayText(outcome.at, texts.locale) });
}

function form(content: RecordContent, texts: Texts): Html {
  const { token, record, eventId, refused } = content;
  const { record: words, tag } = texts;
  const about = eventId === null ? null : aboutOutcome(eventId, record, texts);
  return html`<form id="object" method="post" action="${encodeURIComponent(token)}/reviews${queryOf(content, tag)}">
${refused !== null && html`<p class="note" role="alert">${words.refused}</p>`}
<p>${about ?? words.aboutRecord}${about !== null && html` <a href="${queryOf(content, tag)}#object">${words.aboutRecord}</a>`}</p>
${about !== null && html`<input type="hidden" name="eventId" value="${eventId}">`}
<label for="text">${words.text}</label>
<textarea id="text" name="text" required maxlength="2000" dir="auto">${refused ?? ''}</textarea>
<button class="do">${words.send}</button>
</form>`;
}
