import type { ConfidenceLabel, ScoreBand } from '@reliability/scoring';
import type { PageText } from './pageText.js';

/** A link inside a sentence: what stands before it, its own words, and what stands behind. */
export type LinkedSentence = readonly [before: string, link: string, after: string];

/**
 * The page behind a share token, for people who were shown a link: an employer, a customer, a landlord. Figures and times come
 * in as text.
 */
export interface VerifyTexts {
  title(band: string, score: string): string;
  readonly unscoredTitle: string;
  readonly kind: string;
  readonly heading: string;
  readonly lead: string;
  readonly of: string;
  readonly bands: Readonly<Record<ScoreBand, string>>;
  /** Beside a band that is called otherwise in the API. */
  calledThere(band: ScoreBand): string | null;
  bandRange(band: string, from: number, below: number | null): string;
  readonly unscored: string;
  readonly unscoredNote: string;
  readonly frozen: string;
  computed(moment: string): string;

  readonly restsHeading: string;
  readonly totalEvents: string;
  readonly verifiedEvents: string;
  readonly verifiedNote: string;
  readonly verifiedPlatforms: string;
  readonly evidence: string;
  readonly evidenceOf: Readonly<Record<ConfidenceLabel, string>>;
  confidence(value: string): string;

  readonly recordHeading: string;
  readonly recordNote: string;
  readonly kept: string;
  readonly broken: string;
  readonly disputed: string;
  readonly first: string;
  readonly last: string;

  readonly whoseHeading: string;
  readonly whose: readonly string[];
  readonly notHeading: string;
  readonly not: readonly string[];

  readonly checkHeading: string;
  address(start: string): string;
  readonly now: string;
  formula(version: string): LinkedSentence;
  readonly data: LinkedSentence;
  readonly keys: LinkedSentence;
  status(list: string, entry: string): LinkedSentence;
  readonly token: string;

  /** For a token that opens nothing, or no longer. */
  readonly nothing: PageText;
}
