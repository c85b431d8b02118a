import type { ConfirmableEventType } from '#domain/catalogues/enums.js';
import { fill } from '#domain/fill.js';
import { fillHtml, type Html, html } from '#kit/html.js';
import { bidiIsolate, type Texts } from '../texts/texts.js';
import type { Entry, HostedRequest } from './attestationAdapter.js';
import { dateText, momentElement, valueText } from './formats.js';
import { cross, tick } from './icons.js';
import { embedFields, type HostedPage, type Reader } from './layout.js';

/** The id and token of the link. */
export interface RequestLink {
  readonly id: string;
  readonly token: string;
}

/**
 * The question: who asks, about whom, the entry, what an answer does, and two equally prominent
 * answers.
 * @param status 400 if the form was sent without one of the two answers.
 */
export function askPage(
  request: HostedRequest,
  { id, token }: RequestLink,
  reader: Reader,
  status: 200 | 400,
): HostedPage {
  const { texts, opener } = reader;
  const { ask } = texts;
  const platform = bidiIsolate(request.platformName);
  const subject = bidiIsolate(nameOf(request));
  const action = encodeURIComponent(id);
  const lead = request.entry.kind === 'confirmation' ? ask.confirmationLead : ask.referenceLead;
  const { counterpartyName } = request;
  const main = html`<p class="asks">${fill(ask.asks, { platform })}</p>
<h1>${ask.heading}</h1>
${!request.livemode && html`<p class="note">${texts.testNote}</p>`}
${status === 400 && html`<p class="note" role="alert">${ask.chooseOne}</p>`}
<p>${counterpartyName === null ? ask.greeting : fill(ask.greetingTo, { name: bidiIsolate(counterpartyName) })}</p>
<p>${fill(lead, { platform, subject })}</p>
${entrySection(request, platform, texts)}
<h2>${ask.meaningHeading}</h2>
<dl class="answers">
<div><dt>${ask.yes}</dt><dd>${yesMeans(request.entry, subject, texts)}</dd></div>
<div><dt>${ask.no}</dt><dd>${ask.noMeans}</dd></div>
</dl>
<form method="post" action="${action}" class="decide">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="lang" value="${texts.tag}">
${embedFields(opener)}
<button name="decision" value="confirm">${tick}<span>${ask.yes}</span></button>
<button name="decision" value="decline">${cross}<span>${ask.no}</span></button>
</form>
<p>${fillHtml(ask.answerBy, { moment: momentElement(request.expiresAt, texts) })}</p>
<h2>${ask.nextHeading}</h2>
<ul>${ask.next.map((sentence) => html`<li>${fill(sentence, { platform })}</li>`)}</ul>`;
  return {
    status,
    title: fill(ask.title, { platform }),
    main,
    platform,
    languageForm: { action, token },
    localTimes: '../local-times.js',
  };
}

/** As the counterparty knows the subject, else the platform's id of it. */
export function nameOf({ entry, subject }: HostedRequest): string {
  return (entry.kind === 'confirmation' ? entry.subjectName : null) ?? subject;
}

function yesMeans(entry: Entry, subject: string, { ask }: Texts): string {
  return entry.kind === 'confirmation'
    ? fill(ask.yesMeans, { subject, weighs: ask.weighs[weights[entry.eventType]] })
    : fill(ask.yesMeansReference, { subject });
}

/** The effect of a confirmed outcome on the score. */
const weights: Readonly<Record<ConfirmableEventType, keyof Texts['ask']['weighs']>> = {
  TRANSACTION_COMPLETED: 'for',
  TRANSACTION_DISPUTED: 'against',
  TRANSACTION_CANCELLED: 'neither',
  REVIEW_VERIFIED: 'for',
  CONTRACT_FULFILLED: 'for',
  CONTRACT_CANCELLED: 'neither',
  CONTRACT_BREACHED: 'against',
};

/** The entry, set off from the text like a slip of paper. */
function entrySection(request: HostedRequest, platform: string, texts: Texts): Html {
  const { entry, subject } = request;
  const { ask } = texts;
  const name = nameOf(request);
  return html`<section class="slip">
${entry.kind === 'confirmation' ? html`<p class="what">${texts.outcomes[entry.eventType]}</p>` : claimed(entry, texts)}
${entry.description !== null && html`<figure><figcaption>${fill(ask.inWordsOf, { platform })}</figcaption><blockquote dir="auto">${entry.description}</blockquote></figure>`}
<dl>
<div><dt>${ask.about}</dt><dd><bdi>${name}</bdi> <small>${name !== subject && html`<bdi>${subject}</bdi>: `}${fill(ask.calledSoBy, { platform })}</small></dd></div>
${factsOf(entry, platform, texts).map(({ name, fact, note }) => html`<div><dt>${name}</dt><dd><bdi>${fact}</bdi>${note && html` <small>${note}</small>`}</dd></div>`)}
</dl>
</section>`;
}

function claimed({ claim, title }: Extract<Entry, { kind: 'reference' }>, { claims }: Texts): Html {
  return html`<p class="what"><bdi>${title}</bdi></p><p>${claims[claim]}</p>`;
}

interface Fact {
  readonly name: string;
  readonly fact: string | Html;
  readonly note?: string;
}

/** Only the facts that were given. */
function factsOf(entry: Entry, platform: string, texts: Texts): Fact[] {
  const { ask } = texts;
  const given: (Fact | false | null)[] =
    entry.kind === 'confirmation'
      ? [
          entry.value !== null && {
            name: ask.value,
            fact: valueText(entry.value, texts),
            note: fill(ask.valueUnit, { platform }),
          },
          entry.due && { name: ask.due, fact: momentElement(entry.due, texts) },
          entry.completed && { name: ask.completed, fact: momentElement(entry.completed, texts) },
        ]
      : [
          entry.organization !== null && { name: ask.organization, fact: entry.organization },
          entry.startDate !== null && { name: ask.from, fact: dateText(entry.startDate, texts) },
          entry.endDate !== null && { name: ask.until, fact: dateText(entry.endDate, texts) },
        ];
  return given.filter((fact) => fact !== false && fact !== null);
}
