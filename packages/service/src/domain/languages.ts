import type { RecordWords } from './recordWords.js';
import { recordWordsDe } from './recordWordsDe.js';
import { recordWordsEn } from './recordWordsEn.js';

export const languageTags = ['en', 'de'] as const;
export type LanguageTag = (typeof languageTags)[number];

export const recordWords: Readonly<Record<LanguageTag, RecordWords>> = {
  en: recordWordsEn,
  de: recordWordsDe,
};
