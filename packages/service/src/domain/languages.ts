import { FORMULA_VERSION, KEY_FACTOR_LIMIT, reasonCodeCatalog } from '@reliability/scoring';
import german from '../../data/germanFormulaTexts.json' with { type: 'json' };
import de from '../../data/recordWords.de.json' with { type: 'json' };
import en from '../../data/recordWords.en.json' with { type: 'json' };
import { bandNamesDe } from './bandNamesDe.js';
import { fill } from './fill.js';
import type { RecordWords } from './recordWords.js';

const recordWordsEn: RecordWords = {
  ...en,
  bandName: (band) => band,
  title: ({ title }) => title,
  titleWithin: ({ title }) => `${title.charAt(0).toLowerCase()}${title.slice(1)}`,
  meaning: ({ description }) => description,
  factor: (description) => description,
  disclosures: reasonCodeCatalog.disclosures,
};

const recordWordsDe: RecordWords = {
  ...de,
  bandName: (band) => bandNamesDe[band],
  title: ({ code }) => german.titles[code],
  titleWithin: ({ code }) => german.titles[code],
  meaning: ({ code }) => `${german.titles[code]}.`,
  factor: germanFactor,
  disclosures: german.disclosures.map((text) =>
    fill(text, { formula: FORMULA_VERSION, keyFactors: KEY_FACTOR_LIMIT }),
  ),
};

const germanFactors: Readonly<Record<string, string>> = german.factors;
const NUMBER = /\d+(?:\.\d+)?/g;

/** Unchanged if another version of the formula wrote it. */
function germanFactor(description: string): string {
  const plural = description.replace(NUMBER, '#').replace(/(# (?:\w+ )?(?:outcome|dispute))\b/g, '$1s');
  const text = germanFactors[plural];
  const numbers = description.match(NUMBER)?.map((number) => number.replace('.', de.decimalPoint)) ?? [];
  return text === undefined ? description : fill(text, Object.fromEntries(numbers.entries()));
}

export const languageTags = ['en', 'de'] as const;
export type LanguageTag = (typeof languageTags)[number];

export const recordWords: Readonly<Record<LanguageTag, RecordWords>> = {
  en: recordWordsEn,
  de: recordWordsDe,
};
