import type { Qualification } from '#ledger/profile/qualifications.js';
import { byTime, type Career, dayOf, scoreSentence, spanOf, uriOf, verificationOf } from './career.js';

/**
 * A career in the vocabulary of schema.org. A person has no property for a score there, so the
 * score is a report about the person. Whether an entry is verified is a property value of the
 * entry.
 */
export function jsonLd(career: Career) {
  const { userId, issuer } = career;
  const jobs = entriesOf(career, 'EMPLOYMENT_VERIFIED');
  const schools = entriesOf(career, 'EDUCATION_VERIFIED');
  return {
    '@context': 'https://schema.org',
    '@type': 'Person',
    identifier: [{ '@type': 'PropertyValue', propertyID: issuer, name: 'userId', value: userId }],
    worksFor: jobs.map(jobOf),
    alumniOf: schools.filter(({ qualification }) => qualification.issuer !== null).map(schoolOf),
    hasCredential: [
      ...schools.map((entry) => credentialOf(entry, 'education')),
      ...entriesOf(career, 'SKILL_VERIFIED').map((entry) => credentialOf(entry, 'skill')),
    ],
    hasCertification: entriesOf(career, 'CERTIFICATION_VERIFIED').map(certificationOf),
    '@reverse': { creator: career.projects.map(workOf) },
    subjectOf: reportsOf(career),
  };
}

interface Entry {
  readonly qualification: Qualification;
  readonly span: ReturnType<typeof spanOf>;
  readonly isVerified: boolean;
}

function entriesOf({ qualifications, asOf }: Career, eventType: Qualification['eventType']): Entry[] {
  return qualifications
    .filter((qualification) => qualification.eventType === eventType)
    .map((qualification) => ({
      qualification,
      span: spanOf(qualification),
      isVerified: verificationOf(qualification, asOf).verified,
    }))
    .sort(byTime);
}

function jobOf({ qualification, span, isVerified }: Entry) {
  const { title, issuer } = qualification;
  return {
    '@type': 'EmployeeRole',
    roleName: title,
    ...dated(span),
    ...described(qualification, isVerified),
    ...(issuer !== null && { worksFor: organization(issuer) }),
  };
}

function schoolOf({ qualification, span, isVerified }: Entry) {
  const { title, issuer } = qualification;
  return {
    '@type': 'OrganizationRole',
    roleName: title,
    ...dated(span),
    identifier: [verificationValue(isVerified)],
    alumniOf: organization(issuer ?? ''),
  };
}

function credentialOf({ qualification, span, isVerified }: Entry, category: 'education' | 'skill') {
  const { title, issuer, expiresAt } = qualification;
  const gained = category === 'education' ? span.end : span.start;
  return {
    '@type': 'EducationalOccupationalCredential',
    name: title,
    credentialCategory: category,
    ...(category === 'skill' && { competencyRequired: title }),
    ...(issuer !== null && { recognizedBy: organization(issuer) }),
    ...(gained !== undefined && { dateCreated: gained }),
    ...optional('expires', dayOf(expiresAt)),
    ...described(qualification, isVerified),
  };
}

function certificationOf({ qualification, span, isVerified }: Entry) {
  const { title, issuer, expiresAt } = qualification;
  return {
    '@type': 'Certification',
    name: title,
    ...(issuer !== null && { issuedBy: organization(issuer) }),
    ...optional('datePublished', span.start),
    ...optional('validFrom', span.start),
    ...optional('expires', dayOf(expiresAt)),
    ...described(qualification, isVerified),
  };
}

function workOf({ title, url, description, startedAt, completedAt }: Career['projects'][number]) {
  return {
    '@type': 'CreativeWork',
    name: title,
    ...optional('url', uriOf(url)),
    ...(description !== null && { description }),
    ...optional('dateCreated', dayOf(completedAt ?? startedAt)),
  };
}

function reportsOf({ score, verifyUrl, issuer }: Career) {
  if (!score) return [];
  return [
    {
      '@type': 'Report',
      name: 'Reliability score',
      abstract: scoreSentence(score),
      dateCreated: score.computedAt,
      version: score.formulaVersion,
      publisher: { '@type': 'Organization', url: issuer },
      ...(verifyUrl !== null && { url: verifyUrl }),
    },
  ];
}

function described({ url, description }: Qualification, isVerified: boolean) {
  return {
    ...optional('url', uriOf(url)),
    ...(description !== null && { description }),
    identifier: [verificationValue(isVerified)],
  };
}

function verificationValue(isVerified: boolean) {
  const value = isVerified ? 'confirmed by another party' : 'self-reported';
  return { '@type': 'PropertyValue', name: 'verification', value };
}

function organization(name: string) {
  return { '@type': 'Organization', name };
}

function dated({ start, end }: Entry['span']) {
  return { ...optional('startDate', start), ...optional('endDate', end) };
}

function optional<Name extends string>(name: Name, value: string | undefined) {
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, string>>;
}
