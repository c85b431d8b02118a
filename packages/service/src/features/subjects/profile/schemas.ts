import { z } from 'zod';
import { qualificationStatuses } from '#domain/catalogues/enums.js';
import { dateOrTimestamp, isInOrder } from '#domain/dateOrTimestamp.js';
import { externalId } from '#domain/externalId.js';
import { parsedUrl } from '#domain/parsedUrl.js';
import { qualificationEventTypes, qualificationKinds } from '#domain/verifiedProfile.js';
import { cursorParam, instant, pageLimit, pageSchema, pathText } from '#kit/http/query.js';

const MAX_LENGTH = 2048;

/**
 * An http or https link for people, stored as given and never fetched. Refuses URLs that a browser
 * would execute.
 */
export const webLink = z
  .string()
  .min(1)
  .max(MAX_LENGTH, { abort: true })
  .superRefine((text, context) => {
    if (text === '' || isWebLink(text)) return;
    context.addIssue({ code: 'invalid_format', format: 'url', message: MESSAGE, input: text });
  })
  .meta({ format: 'uri' });

const MESSAGE = 'must be an http or https URL without user name, password or white space';

function isWebLink(text: string): boolean {
  // Browsers read a backslash as a slash, other parsers do not: the link would lead elsewhere than
  // it appears to.
  if (!/^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(text)) return false;
  const url = parsedUrl(text);
  return url !== null && url.username + url.password === '';
}

const eventType = z.enum(qualificationEventTypes);
const kind = z.enum(qualificationKinds);
const claimed = z.string().nullable();

const qualificationFields = {
  id: z.uuid(),
  kind,
  eventType,
  title: z.string(),
  issuer: z.string().nullable(),
  startDate: claimed,
  endDate: claimed,
  issuedAt: instant.nullable(),
  expiresAt: instant.nullable(),
  url: z.string().nullable(),
  verifiedBy: z.string().nullable(),
};

const entryFields = {
  ...qualificationFields,
  userId: z.string(),
  description: z.string().nullable(),
  isVerified: z.boolean(),
  referenceId: z.uuid().nullable(),
  createdAt: instant,
};

const QualificationEntry = z.object(entryFields).meta({ id: 'Qualification' });

export type QualificationRecorded = z.output<typeof QualificationRecorded>;
export const QualificationRecorded = z
  .object({ ...entryFields, warnings: z.array(z.object({ code: z.string(), message: z.string() })) })
  .meta({ id: 'QualificationRecorded' });

export type QualificationPage = z.output<typeof QualificationPage>;
export const QualificationPage = pageSchema('qualifications', QualificationEntry).meta({
  id: 'QualificationPage',
});

const title = z.string().min(1).max(255, { abort: true });

export const QualificationBody = z
  .object({
    eventType,
    title,
    issuer: z.string().min(1).max(255, { abort: true }).nullish(),
    issuedAt: dateOrTimestamp.nullish(),
    expiresAt: dateOrTimestamp.nullish(),
    url: webLink.nullish(),
    isVerified: z.boolean().nullish(),
    verifiedBy: z.string().min(1).max(255, { abort: true }).nullish(),
  })
  .refine(({ issuedAt, expiresAt }) => isInOrder(issuedAt, expiresAt), {
    path: ['expiresAt'],
    message: 'must not be before issuedAt',
  })
  .meta({ id: 'NewQualification' });

export type ProjectResponse = z.output<typeof ProjectResponse>;
export const ProjectResponse = z
  .object({
    id: z.uuid(),
    userId: z.string(),
    title: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    startedAt: instant.nullable(),
    completedAt: instant.nullable(),
    createdAt: instant,
  })
  .meta({ id: 'Project' });

export type ProjectPage = z.output<typeof ProjectPage>;
export const ProjectPage = pageSchema('projects', ProjectResponse).meta({ id: 'ProjectPage' });

export const ProjectBody = z
  .object({
    title,
    url: webLink,
    description: z.string().max(2000, { abort: true }).nullish(),
    startedAt: dateOrTimestamp.nullish(),
    completedAt: dateOrTimestamp
      .refine((at) => at.getTime() >= 0, 'must not lie before 1970-01-01')
      .nullish(),
  })
  .refine(({ startedAt, completedAt }) => isInOrder(startedAt, completedAt), {
    path: ['completedAt'],
    message: 'must not be before startedAt',
  })
  .meta({ id: 'NewProject' });

export const PageQuery = z.object({ limit: pageLimit(100, 25), cursor: cursorParam });

export const projectPath = z.object({
  id: externalId,
  projectId: pathText(),
});

const kindCounts = z.object({
  verified: z.int().min(0),
  expired: z.int().min(0),
  selfReported: z.int().min(0),
});

export type VerifiedProfile = z.output<typeof VerifiedProfile>;
export const VerifiedProfile = z
  .object({
    userId: z.string(),
    verifiedProfileVersion: z.string(),
    asOf: instant,
    total: kindCounts,
    kinds: z.object({
      employment: kindCounts,
      education: kindCounts,
      certification: kindCounts,
      skill: kindCounts,
    }),
    qualifications: z.array(
      z.object({
        ...qualificationFields,
        status: z.enum(qualificationStatuses),
        recordedAt: instant,
      }),
    ),
    truncated: z.boolean(),
    projects: z.int().min(0),
    disclosures: z.array(z.string()),
  })
  .meta({ id: 'VerifiedProfile' });
