import type { Qualification } from '../../../ledger/profile/qualifications.js';
import type { StoredScore } from '../../../ledger/reads/publishedScores.js';
import type { Project } from '../projects.js';

/** What a career export is drawn up from: what one platform recorded about a person, and the score of the person's record. */
export interface Career {
  readonly userId: string;
  /** Where the service is reached; it names the service in the export. */
  readonly issuer: string;
  /** Newest first. */
  readonly qualifications: readonly Qualification[];
  /** Newest first. */
  readonly projects: readonly Project[];
  /** False where there was more than an export takes. */
  readonly isComplete: boolean;
  /** Null before the first score. */
  readonly score: StoredScore | null;
  /** Where strangers can check the score; null where the subject shares none. */
  readonly verifyUrl: string | null;
  /** The moment at which a qualification holds or does not. */
  readonly asOf: Date;
}

/** How far an entry can be relied on. Who confirmed it stays with the platform: that is a person, too, and the export travels. */
export interface Verification {
  readonly verified: boolean;
  /** `reference`: a counterparty confirmed it to the service; `platform`: the platform said so; null for what is self-reported. */
  readonly confirmedThrough: 'reference' | 'platform' | null;
  readonly expiresAt: Date | null;
  /** Its end has passed. */
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

/** When it began and ended, as far as its platform said: a job lasts while it holds, a school ends with what it gave. */
export function spanOf({ eventType, startDate, endDate, issuedAt, expiresAt }: Qualification) {
  return eventType === 'EDUCATION_VERIFIED'
    ? { start: dayOf(startDate), end: dayOf(endDate ?? issuedAt) }
    : { start: dayOf(startDate ?? issuedAt), end: dayOf(endDate ?? expiresAt) };
}

/** `YYYY-MM-DD` in UTC; undefined without a date, and for a year that JSON Resume's dates cannot name. */
export function dayOf(moment: Date | string | null): string | undefined {
  if (moment === null) return undefined;
  const day = (typeof moment === 'string' ? moment : moment.toISOString()).slice(0, 10);
  return DAY.test(day) ? day : undefined;
}

const DAY = /^[12]\d{3}-[01]\d-[0-3]\d$/;

/** A link as RFC 3986 has it: as given where it is one, else with the rest percent-encoded; undefined where that is not enough. */
export function uriOf(link: string | null): string | undefined {
  if (link === null || URI.test(link)) return link ?? undefined;
  const encoded = new URL(link).href.replace(NO_URI_CHARACTER, encodeURIComponent);
  return URI.test(encoded) ? encoded : undefined;
}

const URI =
  /^https?:\/\/(?:[\w\-.~:/?@!$&'()*+,;=]|%[\da-f]{2})+(?:#(?:[\w\-.~:/?@!$&'()*+,;=]|%[\da-f]{2})*)?$/i;
const NO_URI_CHARACTER = /[^\w\-.~:/?@!$&'()*+,;=%#]/g;

/** Newest first, by when it began or else ended; what has no date stands last. */
export function byTime<Entry extends { readonly span: { start?: string; end?: string } }>(
  left: Entry,
  right: Entry,
): number {
  const [before, after] = [left, right].map(({ span }) => span.start ?? span.end ?? '');
  if (before === after) return 0;
  return (before ?? '') < (after ?? '') ? 1 : -1;
}

export const disclosures: readonly string[] = [
  'Verified means that a party other than the person stands behind an entry: it confirmed the entry when the service asked, or a platform reported that it did. Everything else is self-reported.',
  'Entries never move the score, and the score never moves them. Projects are links that their owner presents: nobody confirmed them.',
  'Evidence, never a decision. It is no consumer report and no proof of income.',
];
