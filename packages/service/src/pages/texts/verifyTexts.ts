import type { ConfidenceLabel, ScoreBand } from '@reliability/scoring';

/** A page of a heading and paragraphs. */
export interface PageText {
  /** The title of the tab. Starts with what distinguishes this page. */
  readonly title: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

/** A sentence with a link: the text before it, the linked text, the text after it. */
export type LinkedSentence = readonly [before: string, link: string, after: string];

/**
 * The page of a share token, for people who received a link: an employer, a customer, a landlord.
 * Figures and times are passed in as text.
 */
export interface VerifyTexts {
  title(band: string, score: string): string;
  readonly unscoredTitle: string;
  readonly kind: string;
  readonly heading: string;
  readonly lead: string;
  readonly of: string;
  readonly bands: Readonly<Record<ScoreBand, string>>;
  /** Beside a band whose name differs from the API's. */
  apiNameOf(band: ScoreBand): string | null;
  bandRange(band: string, from: number, below: number | null): string;
  readonly unscored: string;
  readonly unscoredNote: string;
  readonly frozen: string;
  computed(moment: string): string;
  loggedSince(moment: string): string;
  readonly notLoggedYet: string;

  readonly restsHeading: string;
  readonly totalEvents: string;
  readonly verifiedEvents: string;
  readonly verifiedNote: string;
  /** The parties that confirmed results. */
  readonly parties: string;
  /** @param isPlatform it is the platform that reported the results. */
  largest(ofLargest: string, all: string, isPlatform: boolean): string;
  readonly verifiedPlatforms: string;
  readonly evidence: string;
  readonly evidenceOf: Readonly<Record<ConfidenceLabel, string>>;
  confidence(value: string): string;
  readonly registered: string;
  tenure(days: number, count: string): string;

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
  readonly check: LinkedSentence;
  readonly keys: LinkedSentence;
  status(list: string, entry: string): LinkedSentence;
  /** @param leaf the number of the leaf */
  logged(leaf: string): LinkedSentence;
  readonly token: string;

  /** For an unknown or withdrawn token. */
  readonly nothing: PageText;
}
