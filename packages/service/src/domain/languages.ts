import { model, reasonCodeCatalog } from '@reliability/scoring';
import type { RecordWords } from './recordWords.js';
import { recordWordsDe } from './recordWordsDe.js';
import { trendText } from './scoreCourse.js';

export const recordWordsEn: RecordWords = {
  score: (finalScore, band) => `The score is ${finalScore.toFixed(2)} of 100, in the band ${band}.`,
  trend: trendText,
  foundation: ({ totalEvents, verifiedEvents }) =>
    totalEvents === 1
      ? `It rests on one entry, which others have ${verifiedEvents === 1 ? 'confirmed' : 'not confirmed'}.`
      : `It rests on ${totalEvents} entries. Others confirmed ${verifiedEvents} of them.`,
  backing: {
    high: 'Much confirmed work supports it.',
    medium: 'Some confirmed work supports it.',
    low: 'Little confirmed work supports it so far.',
  },
  frozen: 'It is frozen while a burst of new entries is checked.',
  plus: (title) => `Biggest plus: ${lowerFirst(title)}.`,
  minus: (title) => `Biggest minus: ${lowerFirst(title)}.`,
  title: ({ title }) => title,
  meaning: ({ description }) => description,
  reasons: {
    nothingConfirmed: 'Nobody else has confirmed a finished or broken agreement yet.',
    unconfirmed: (count) => `Without confirmation so far: ${results(count)}.`,
    shortHistory: (count) =>
      `Others confirmed ${results(count)}. With their size and age, that is a short history so far.`,
    longHistory: (count) =>
      `Others confirmed ${results(count)}. With their size and age, that is a long history.`,
    completed: (part, whole) => `Finished: ${part} of ${results(whole)}.`,
    breachWeighs: `A broken agreement weighs ${model.breachSeverity} times as much as finished work.`,
    onTime: (part, whole) => `On time: ${part} of ${counted(whole, 'finished job')}.`,
    confirmed: (part, whole) => `Confirmed by others: ${part} of ${counted(whole, 'finished job')}.`,
    weighed: (rate) => `Recent and bigger jobs count for more, which makes it ${rate}.`,
    disputed: (count) => `Disputed: ${results(count)}.`,
    lost: (count) => `Ended against the owner of this record: ${counted(count, 'dispute')}.`,
    noDispute: (count) => `There is no dispute on the record, which holds ${results(count)}.`,
    inactive: (days) => `The last result is ${days} days old. Old results count less every day.`,
    underReview:
      'Very many entries arrived within a short time. The score is frozen until they have been checked.',
  },
  factor: (description) => description,
  disclosures: reasonCodeCatalog.disclosures,
};

function results(count: number): string {
  return counted(count, 'result');
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

export const languageTags = ['en', 'de'] as const;
export type LanguageTag = (typeof languageTags)[number];

export const recordWords: Readonly<Record<LanguageTag, RecordWords>> = {
  en: recordWordsEn,
  de: recordWordsDe,
};
