import type { QualificationEventType } from '#domain/verifiedProfile.js';
import {
  byTime,
  type Career,
  dayOf,
  disclosures,
  scoreFacts,
  spanOf,
  uriOf,
  verificationOf,
} from './career.js';

const SCHEMA = 'https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json';

/**
 * A career as JSON Resume v1.0.0. Values outside the standard are `x-` members. The service knows
 * no names of people, so `name` is the platform's own id until the person replaces it: themes print
 * it at the top of the page.
 */
export function jsonResume(career: Career) {
  const { userId, verifyUrl, projects } = career;
  return {
    $schema: SCHEMA,
    basics: {
      name: userId,
      // Some themes read it without a check.
      location: {},
      profiles: verifyUrl === null ? [] : [{ network: 'Reliability record', url: verifyUrl }],
    },
    work: entriesOf(career, 'EMPLOYMENT_VERIFIED').map(({ title, issuer, description, span, ...rest }) => ({
      ...(issuer !== null && { name: issuer }),
      position: title,
      ...dated(span),
      ...(description !== null && { summary: description }),
      ...rest,
    })),
    education: entriesOf(career, 'EDUCATION_VERIFIED').map(
      ({ title, issuer, description, span, ...rest }) => ({
        ...(issuer !== null && { institution: issuer }),
        area: title,
        ...dated(span),
        ...(description !== null && { 'x-description': description }),
        ...rest,
      }),
    ),
    certificates: entriesOf(career, 'CERTIFICATION_VERIFIED').map(
      ({ title, issuer, description, span, ...rest }) => ({
        name: title,
        ...(span.start !== undefined && { date: span.start }),
        ...(issuer !== null && { issuer }),
        ...(description !== null && { 'x-description': description }),
        ...rest,
      }),
    ),
    skills: entriesOf(career, 'SKILL_VERIFIED').map(({ title, issuer, description, span: _, ...rest }) => ({
      name: title,
      ...(issuer !== null && { 'x-issuer': issuer }),
      ...(description !== null && { 'x-description': description }),
      ...rest,
    })),
    projects: projects.map(({ title, description, url, startedAt, completedAt }) => ({
      name: title,
      ...(description !== null && { description }),
      ...linked(url),
      ...dated({ start: dayOf(startedAt), end: dayOf(completedAt) }),
    })),
    meta: { version: 'v1.0.0', ...lastModified(career), 'x-reliability': reliabilityOf(career) },
  };
}

/** The fields common to all kinds of entries. */
function entriesOf({ qualifications, asOf }: Career, eventType: QualificationEventType) {
  return qualifications
    .filter((qualification) => qualification.eventType === eventType)
    .map((qualification) => ({
      title: qualification.title,
      issuer: qualification.issuer,
      description: qualification.description,
      span: spanOf(qualification),
      ...linked(qualification.url),
      'x-verification': verificationOf(qualification, asOf),
    }))
    .sort(byTime);
}

function linked(link: string | null) {
  const url = uriOf(link);
  return url !== undefined && { url };
}

function dated({ start, end }: { start?: string; end?: string }) {
  return { ...(start !== undefined && { startDate: start }), ...(end !== undefined && { endDate: end }) };
}

/** In the format of JSON Resume: without milliseconds. */
function lastModified({ qualifications, projects, score }: Career) {
  const moments = [...qualifications, ...projects].map(({ createdAt }) => createdAt.getTime());
  const latest = Math.max(...moments, score?.computedAt.getTime() ?? 0);
  return latest > 0 && { lastModified: `${new Date(latest).toISOString().slice(0, 19)}Z` };
}

function reliabilityOf({ userId, issuer, verifyUrl, isComplete, score }: Career) {
  return { userId, issuer, verifyUrl, complete: isComplete, score: score && scoreFacts(score), disclosures };
}
