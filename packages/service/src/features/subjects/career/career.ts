import type { Qualification } from '#ledger/profile/qualifications.js';
import type { StoredScore } from '#ledger/reads/publishedScores.js';
import type { Project } from '../projects.js';

/**
 * The source of a career export: one platform's entries about a person, and the score of the
 * person's record.
 */
export interface Career {
  readonly userId: string;
  /** The base URL of the service; it names the service in the export. */
  readonly issuer: string;
  /** Newest first. */
  readonly qualifications: readonly Qualification[];
  /** Newest first. */
  readonly projects: readonly Project[];
  /** False if there are more entries than an export takes. */
  readonly isComplete: boolean;
  /** Null before the first score. */
  readonly score: StoredScore | null;
  /** Where anyone can check the score; null if the subject has no share token. */
  readonly verifyUrl: string | null;
  /** Expiry is judged at this moment. */
  readonly asOf: Date;
}

/**
 * How an entry was confirmed. It does not say by whom: that is personal data, and the export is
 * passed on.
 */
export interface Verification {
  readonly verified: boolean;
  /**
   * `reference`: a counterparty confirmed it to the service; `platform`: the platform reported that
   * one did; null: self-reported.
   */
  readonly confirmedThrough: 'reference' | 'platform' | null;
  readonly expiresAt: Date | null;
  /** `expiresAt` has passed. */
  readonly expired: boolean;
  readonly recordedAt: Date;
}

export function verificationOf(qualification: Qualification, asOf: Date): Verification {
  const { isVerified, referenceId, expiresAt, createdAt } = qualification;
  return {
    verified: isVerified,
    confirmedThrough: !isVerified ? null : referenceId === null ? 'platform' : 'reference',
    expiresAt,
    expired: expiresAt !== null && expiresAt <= asOf,
    recordedAt: createdAt,
  };
}

/**
 * Start and end, as far as known. Education ends when its qualification was issued; anything else
 * lasts until it expires.
 */
export function spanOf({ eventType, startDate, endDate, issuedAt, expiresAt }: Qualification) {
  return eventType === 'EDUCATION_VERIFIED'
    ? { start: dayOf(startDate), end: dayOf(endDate ?? issuedAt) }
    : { start: dayOf(startDate ?? issuedAt), end: dayOf(endDate ?? expiresAt) };
}

/** `YYYY-MM-DD` in UTC; undefined without a date, and for years that JSON Resume cannot express. */
export function dayOf(moment: Date | string | null): string | undefined {
  if (moment === null) return undefined;
  const day = (typeof moment === 'string' ? moment : moment.toISOString()).slice(0, 10);
  return DAY.test(day) ? day : undefined;
}

const DAY = /^[12]\d{3}-[01]\d-[0-3]\d$/;

/**
 * A URI of RFC 3986: the link itself, or the link percent-encoded; undefined if that is no URI
 * either.
 */
export function uriOf(link: string | null): string | undefined {
  if (link === null || URI.test(link)) return link ?? undefined;
  const encoded = new URL(link).href.replace(NO_URI_CHARACTER, encodeURIComponent);
  return URI.test(encoded) ? encoded : undefined;
}

const URI =
  /^https?:\/\/(?:[\w\-.~:/?@!$&'()*+,;=]|%[\da-f]{2})+(?:#(?:[\w\-.~:/?@!$&'()*+,;=]|%[\da-f]{2})*)?$/i;
const NO_URI_CHARACTER = /[^\w\-.~:/?@!$&'()*+,;=%#]/g;

/** Newest first, by start or else end. Entries without a date come last. */
export function byTime<Entry extends { readonly span: { start?: string; end?: string } }>(
  left: Entry,
  right: Entry,
): number {
  const [before, after] = [left, right].map(({ span }) => span.start ?? span.end ?? '');
  if (before === after) return 0;
  return (before ?? '') < (after ?? '') ? 1 : -1;
}

export const disclosures: readonly string[] = [
  'Verified means that a party other than the person confirmed an entry: it confirmed the entry when the service asked, or a platform reported that it did. Everything else is self-reported.',
  'Entries never move the score, and the score never moves them. Projects are links that their owner presents: nobody confirmed them.',
  'Evidence, never a decision. It is not a consumer report and no proof of income.',
];

/** The figures of a score in an export. */
export function scoreFacts(score: StoredScore) {
  return {
    finalScore: score.finalScore,
    scoreBand: score.scoreBand,
    confidence: score.confidence,
    totalEvents: score.totalEvents,
    verifiedEvents: score.verifiedEvents,
    frozen: score.frozen,
    formulaVersion: score.formulaVersion,
    computedAt: score.computedAt,
  };
}

/** The score in a sentence. */
export function scoreSentence({ finalScore, scoreBand, totalEvents, verifiedEvents }: StoredScore): string {
  const basis = `${verifiedEvents} of ${totalEvents} recorded outcomes confirmed by others`;
  return `${finalScore.toFixed(2)} of 100, band ${scoreBand}: ${basis}. Evidence, never a decision.`;
}
