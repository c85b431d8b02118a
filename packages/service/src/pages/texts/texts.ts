import { type ScoreBand, scoreBands } from '@reliability/scoring';
import { bandNamesDe } from '#domain/bandNamesDe.js';
import type { LanguageTag } from '#domain/languages.js';
import { fillHtml, type Html, html } from '#kit/html.js';
import de from '../../../data/pages.de.json' with { type: 'json' };
import en from '../../../data/pages.en.json' with { type: 'json' };

/**
 * Every text of the hosted pages in one language. The readers do not know the service: short
 * sentences, everyday words. Names are filled in isolated (`bidiIsolate`), times as text that names
 * UTC.
 */
export type Texts = typeof en & {
  /** For `lang`, `Content-Language` and the choice of language. */
  readonly tag: LanguageTag;
  readonly bands: Readonly<Record<ScoreBand, string>>;
};

export const english: Texts = {
  ...en,
  tag: 'en',
  bands: Object.fromEntries(scoreBands.map((band) => [band, band])) as Record<ScoreBand, string>,
};

export const german: Texts = { ...de, tag: 'de', bands: bandNamesDe };

/** The available languages. The first is the default. */
export const languages: readonly Texts[] = [english, german];

/** A page of a heading and paragraphs. The title is that of the tab. */
export type PageText = Texts['wrongLink'];

/** A sentence with a link: the part in brackets leads to the address. */
export function linked(
  sentence: string,
  address: string,
  values: Readonly<Record<string, string>> = {},
): Html {
  const [before, link, after] = sentence.split(/[[\]]/).map((part) => fillHtml(part, values));
  return html`${before}<a href="${address}">${link}</a>${after}`;
}

/**
 * Wraps a name from outside in Unicode bidi isolates, so that its script cannot reorder the text
 * around it. Removes the marks that would end the isolation.
 */
export function bidiIsolate(name: string): string {
  return `\u2068${name.replace(/[\u2066-\u2069\u202a-\u202e]/g, '')}\u2069`;
}
