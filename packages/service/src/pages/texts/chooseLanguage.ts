import { type AcceptRange, acceptRanges } from '#kit/http/fixedDocument.js';
import { english, languages, type Texts } from './texts.js';

/**
 * The requested language, else the one the browser prefers among those available (RFC 9110,
 * 12.5.4).
 */
export function chooseLanguage(requested: unknown, acceptLanguage: string | undefined): Texts {
  const named = languages.find(({ tag }) => tag === requested);
  if (named) return named;
  const accepted = acceptRanges(acceptLanguage ?? '');
  const [best] = languages
    .map((language) => ({ language, ...weightOf(language.tag, accepted) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.position - b.position);
  return best?.language ?? english;
}

/**
 * `de-AT` also matches `de`. `*` matches any tag that is not listed. Of equal weights the first
 * wins.
 */
function weightOf(tag: string, accepted: readonly AcceptRange[]): { weight: number; position: number } {
  const named = accepted.flatMap(({ range, weight }, position) =>
    range === tag || range.startsWith(`${tag}-`) ? [{ weight, position }] : [],
  );
  const [best] = named.sort((a, b) => b.weight - a.weight);
  if (best) return best;
  const position = accepted.findIndex(({ range }) => range === '*');
  return { weight: accepted[position]?.weight ?? 0, position };
}
