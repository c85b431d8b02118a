import { reasonCodeCatalog } from '@reliability/scoring';
import { reasonText } from './reasonTexts.js';
import type { RecordWords } from './recordWords.js';
import { trendText } from './scoreTrend.js';

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
  reason: ({ code, description }, evidence) => reasonText(code, evidence) ?? description,
  factor: (description) => description,
  disclosures: reasonCodeCatalog.disclosures,
};

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
