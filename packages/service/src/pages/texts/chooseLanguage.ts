import { type AcceptRange, acceptRanges } from '../../kit/http/acceptRanges.js';
import { de } from './de.js';
import { en } from './en.js';
import type { Texts } from './texts.js';

/** The languages there are; the first is the one for everybody else. */
export const languages: readonly Texts[] = [en, de];

/** The reader's language: the one asked for by name, or what the browser likes best of those there are (RFC 9110, 12.5.4). */
export function chooseLanguage(asked: unknown, acceptLanguage: string | undefined): Texts {
  const named = languages.find(({ tag }) => tag === asked);
  if (named) return named;
  const accepted = acceptRanges(acceptLanguage ?? '');
  const [best] = languages
    .map((language) => ({ language, ...weightOf(language.tag, accepted) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.place - b.place);
  return best?.language ?? en;
}

/** `de-AT` asks for `de` as well; `*` for whatever is not named. Of equals, what is named first. */
function weightOf(tag: string, accepted: readonly AcceptRange[]): { weight: number; place: number } {
  const named = accepted.flatMap(({ range, weight }, place) =>
    range === tag || range.startsWith(`${tag}-`) ? [{ weight, place }] : [],
  );
  const [best] = named.sort((a, b) => b.weight - a.weight);
  if (best) return best;
  const place = accepted.findIndex(({ range }) => range === '*');
  return { weight: accepted[place]?.weight ?? 0, place };
}
