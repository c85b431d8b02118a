import { model, type ScoreBand } from '@reliability/scoring';
import { CREDENTIALS_V2 } from '../../../ledger/issuing/vocabulary.js';

/** The context of Open Badges. It follows that of the W3C. */
export const BADGES_V3 = 'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json';

/** Bands with a badge: the good ones. New subjects and subjects with breaches get none. */
const keys = { Excellent: 'excellent', Good: 'good', Fair: 'fair', Building: 'building' } as const;
type BadgeBand = keyof typeof keys;

/** An achievement of Open Badges 3.0 as part of a badge. */
export interface Achievement {
  readonly id: string;
  readonly type: readonly ['Achievement'];
  readonly name: string;
  readonly description: string;
  readonly achievementType: 'Badge';
  readonly criteria: { readonly narrative: string };
}

/** Null for a band without a badge. */
export function achievementOf(band: ScoreBand, baseUrl: string): Achievement | null {
  return band in keys ? achievementFor(band as BadgeBand, baseUrl) : null;
}

/** By the last part of its address. */
export function achievementAt(key: string, baseUrl: string): Achievement | null {
  const band = (Object.keys(keys) as BadgeBand[]).find((candidate) => keys[candidate] === key);
  return band ? achievementFor(band, baseUrl) : null;
}

/** The achievement as a public JSON-LD document. */
export function asDocument(achievement: Achievement): object {
  return { '@context': [CREDENTIALS_V2, BADGES_V3], ...achievement };
}

function achievementFor(band: BadgeBand, baseUrl: string): Achievement {
  return {
    id: `${baseUrl}/achievements/${keys[band]}`,
    type: ['Achievement'],
    name: `Reliability: ${band}`,
    description: `Has reached the band ${band}, as far as outcomes tell that platforms have reported.`,
    achievementType: 'Badge',
    criteria: {
      narrative:
        `A reliability score of ${minimumOf(band)} or more out of 100, by version ${model.formulaVersion} of the formula, at the ` +
        'moment that the badge names. The score follows from the record by arithmetic alone: nobody grants it.',
    },
  };
}

function minimumOf(band: BadgeBand): number {
  return model.bands.find((entry) => entry.band === band)?.minimum ?? model.scoreMaximum;
}
