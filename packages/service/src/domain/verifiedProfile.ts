import { versions } from './catalogues/versions.js';

export interface QualificationCount {
  readonly eventType: QualificationEventType;
  readonly isVerified: boolean;
  readonly isExpired: boolean;
  readonly count: number;
}

export interface KindCounts {
  verified: number;
  expired: number;
  selfReported: number;
}

export interface VerifiedQualification {
  readonly id: string;
  readonly eventType: QualificationEventType;
  readonly title: string;
  readonly issuer: string | null;
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly issuedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly url: string | null;
  readonly verifiedBy: string | null;
  readonly createdAt: Date;
}

/** Maximum in a profile's list. Counts include all. */
export const LISTED_QUALIFICATIONS = 100;

/** RULES R9. @param verified newest first; one more than the list's maximum if there are more. */
export function verifiedProfile(
  counts: readonly QualificationCount[],
  verified: readonly VerifiedQualification[],
  projects: number,
  asOf: Date,
) {
  const kinds = countsByKind(counts);
  return {
    verifiedProfileVersion: versions.verifiedProfile,
    asOf,
    total: totalOf(Object.values(kinds)),
    kinds,
    qualifications: verified
      .slice(0, LISTED_QUALIFICATIONS)
      .map((qualification) => toResponse(qualification, asOf)),
    truncated: verified.length > LISTED_QUALIFICATIONS,
    projects,
    disclosures,
  };
}

function countsByKind(counts: readonly QualificationCount[]): Record<QualificationKind, KindCounts> {
  const empty = () => ({ verified: 0, expired: 0, selfReported: 0 });
  const kinds = { employment: empty(), education: empty(), certification: empty(), skill: empty() };
  for (const { eventType, isVerified, isExpired, count } of counts) {
    const kind = kinds[kindOfEventType[eventType]];
    if (!isVerified) kind.selfReported += count;
    else kind.verified += count;
    if (isVerified && isExpired) kind.expired += count;
  }
  return kinds;
}

function totalOf(kinds: readonly KindCounts[]): KindCounts {
  const sum = (field: keyof KindCounts) => kinds.reduce((total, kind) => total + kind[field], 0);
  return { verified: sum('verified'), expired: sum('expired'), selfReported: sum('selfReported') };
}

function toResponse({ id, eventType, createdAt, ...said }: VerifiedQualification, asOf: Date) {
  const isExpired = said.expiresAt !== null && said.expiresAt <= asOf;
  return {
    id,
    kind: kindOfEventType[eventType],
    eventType,
    ...said,
    status: isExpired ? ('expired' as const) : ('current' as const),
    recordedAt: createdAt,
  };
}

const disclosures: readonly string[] = [
  'A measure of its own: it never moves the reliability score, and the score never moves it.',
  'Verified means that a party other than the person confirmed it, as the platform reported or in a reference. The service checked nothing itself.',
  'What is self-reported is counted and not listed. Projects are links that their owner presents: nobody confirmed them and the service does not open them.',
  'Evidence, never a decision. It is not a consumer report.',
];

/** Each is reported under an event type of its own (RULES E11), yet is no event. */
export const qualificationKinds = ['employment', 'education', 'certification', 'skill'] as const;
export type QualificationKind = (typeof qualificationKinds)[number];

export const kindOfEventType = {
  EDUCATION_VERIFIED: 'education',
  SKILL_VERIFIED: 'skill',
  CERTIFICATION_VERIFIED: 'certification',
  EMPLOYMENT_VERIFIED: 'employment',
} as const satisfies Record<string, QualificationKind>;
export type QualificationEventType = keyof typeof kindOfEventType;
export const qualificationEventTypes = Object.keys(kindOfEventType) as QualificationEventType[];

export const eventTypeOfKind = Object.fromEntries(
  qualificationEventTypes.map((type) => [kindOfEventType[type], type]),
) as Readonly<Record<QualificationKind, QualificationEventType>>;
