import { z } from 'zod';
import { qualificationStatuses } from '../../../domain/catalogues/enums.js';
import { dateOrTimestamp, isInOrder } from '../../../domain/dateOrTimestamp.js';
import { externalId } from '../../../domain/externalId.js';
import { qualificationEventTypes, qualificationKinds } from '../../../domain/verifiedProfile.js';
import { cursorParam, instant, pageLimit, pathText } from '../../../kit/http/query.js';
import { webLink } from './webLink.js';

const USER_EXAMPLE = 'worker-4711';

export const QUALIFICATION_EXAMPLE = {
  id: '0199a3c2-a1b0-7d31-9c44-6e8f0b1d2a3c',
  userId: USER_EXAMPLE,
  kind: 'certification',
  eventType: 'CERTIFICATION_VERIFIED',
  title: 'Gas safety engineer',
  issuer: 'Northern Trades Board',
  startDate: null,
  endDate: null,
  issuedAt: '2025-06-01T00:00:00.000Z',
  expiresAt: '2028-06-01T00:00:00.000Z',
  url: 'https://register.trades.example/engineers/20817',
  verifiedBy: 'northern-trades-board',
  description: null,
  isVerified: true,
  referenceId: null,
  createdAt: '2026-03-01T09:00:00.000Z',
};

const PROJECT_EXAMPLE = {
  id: '0199a3c2-b7c8-7e52-8d15-7f9a1c2e3b4d',
  userId: USER_EXAMPLE,
  title: 'Kitchens of 2025',
  url: 'https://portfolio.example/kitchens',
  description: 'Twelve fitted kitchens, with photographs.',
  startedAt: '2025-01-15T00:00:00.000Z',
  completedAt: '2025-11-30T00:00:00.000Z',
  createdAt: '2026-03-01T09:00:00.000Z',
};

const eventType = z
  .enum(qualificationEventTypes)
  .meta({ description: 'The type of qualification. It never becomes an event.' });
const kind = z.enum(qualificationKinds).meta({ description: 'The same as `eventType`, in one word.' });
const claimed = (what: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${what}: a date or a timestamp, as the reference claims it.` });

const qualificationFields = {
  id: z.uuid(),
  kind,
  eventType,
  title: z.string(),
  issuer: z.string().nullable().meta({ description: 'Who issued it: an employer, a school, a board.' }),
  startDate: claimed('When it began'),
  endDate: claimed('When it ended'),
  issuedAt: instant.nullable(),
  expiresAt: instant.nullable().meta({ description: 'When it expires.' }),
  url: z
    .string()
    .nullable()
    .meta({ description: 'Where people can look it up. The service never opens it.' }),
  verifiedBy: z
    .string()
    .nullable()
    .meta({ description: "The platform's own name for the party that confirmed it." }),
};

const entryFields = {
  ...qualificationFields,
  userId: z.string(),
  description: z.string().nullable().meta({ description: 'From the claim of a reference.' }),
  isVerified: z.boolean().meta({ description: 'A party other than the subject confirmed it.' }),
  referenceId: z
    .uuid()
    .nullable()
    .meta({ description: 'The reference that a counterparty confirmed; null if you reported it.' }),
  createdAt: instant,
};

export const QualificationEntry = z.object(entryFields).meta({
  id: 'Qualification',
  description:
    'A qualification, education or job of a person. It appears in the verified profile and never affects a score.',
  example: QUALIFICATION_EXAMPLE,
});

export type QualificationRecorded = z.output<typeof QualificationRecorded>;
export const QualificationRecorded = z
  .object({ ...entryFields, warnings: z.array(z.object({ code: z.string(), message: z.string() })) })
  .meta({
    id: 'QualificationRecorded',
    description: 'The qualification as recorded, with warnings about values that were not taken as sent.',
    example: { ...QUALIFICATION_EXAMPLE, warnings: [] },
  });

export type QualificationPage = z.output<typeof QualificationPage>;
export const QualificationPage = z
  .object({ qualifications: z.array(QualificationEntry), nextCursor: z.string().nullable() })
  .meta({
    id: 'QualificationPage',
    description: 'A page of qualifications, newest first.',
    example: { qualifications: [QUALIFICATION_EXAMPLE], nextCursor: null },
  });

const title = z.string().min(1).max(255, { abort: true });

export const QualificationBody = z
  .object({
    eventType,
    title: title.meta({ description: 'Its name.' }),
    issuer: z.string().min(1).max(255, { abort: true }).nullish(),
    issuedAt: dateOrTimestamp.nullish().meta({ description: 'A date, or a timestamp.' }),
    expiresAt: dateOrTimestamp
      .nullish()
      .meta({ description: 'Not before `issuedAt`. Default: it never expires.' }),
    url: webLink.nullish(),
    isVerified: z.boolean().nullish().meta({
      description:
        'True takes effect only if `verifiedBy` names another party: not the subject, who runs it, or your platform. Default: false.',
    }),
    verifiedBy: z.string().min(1).max(255, { abort: true }).nullish().meta({
      description: 'Your own name for the party that confirmed it, stored as given.',
    }),
  })
  .refine(({ issuedAt, expiresAt }) => isInOrder(issuedAt, expiresAt), {
    path: ['expiresAt'],
    message: 'must not be before issuedAt',
  })
  .meta({
    id: 'NewQualification',
    description: 'A qualification to record. It never affects a score.',
    example: {
      eventType: 'CERTIFICATION_VERIFIED',
      title: 'Gas safety engineer',
      issuer: 'Northern Trades Board',
      issuedAt: '2025-06-01',
      expiresAt: '2028-06-01',
      url: 'https://register.trades.example/engineers/20817',
      isVerified: true,
      verifiedBy: 'northern-trades-board',
    },
  });

export type ProjectResponse = z.output<typeof ProjectResponse>;
export const ProjectResponse = z
  .object({
    id: z.uuid(),
    userId: z.string(),
    title: z.string(),
    url: z.string().meta({ description: 'Stored as given. The service never opens it.' }),
    description: z.string().nullable(),
    startedAt: instant.nullable(),
    completedAt: instant.nullable(),
    createdAt: instant,
  })
  .meta({
    id: 'Project',
    description: 'A link to own work, as its owner presents it. Not confirmed.',
    example: PROJECT_EXAMPLE,
  });

export type ProjectPage = z.output<typeof ProjectPage>;
export const ProjectPage = z
  .object({ projects: z.array(ProjectResponse), nextCursor: z.string().nullable() })
  .meta({
    id: 'ProjectPage',
    description: 'A page of projects, newest first.',
    example: { projects: [PROJECT_EXAMPLE], nextCursor: null },
  });

export const ProjectBody = z
  .object({
    title,
    url: webLink.meta({ description: 'http or https, without user name and password.' }),
    description: z.string().max(2000, { abort: true }).nullish(),
    startedAt: dateOrTimestamp.nullish().meta({ description: 'A date, or a timestamp.' }),
    completedAt: dateOrTimestamp
      .refine((at) => at.getTime() >= 0, 'must not lie before 1970-01-01')
      .nullish()
      .meta({ description: 'Not before `startedAt` or 1970.' }),
  })
  .refine(({ startedAt, completedAt }) => isInOrder(startedAt, completedAt), {
    path: ['completedAt'],
    message: 'must not be before startedAt',
  })
  .meta({
    id: 'NewProject',
    description: 'Own work to link to. It is shown as given and never scored.',
    example: {
      title: 'Kitchens of 2025',
      url: 'https://portfolio.example/kitchens',
      description: 'Twelve fitted kitchens, with photographs.',
      startedAt: '2025-01-15',
      completedAt: '2025-11-30',
    },
  });

export const PageQuery = z.object({ limit: pageLimit(100, 25), cursor: cursorParam });

export const projectPath = z.object({
  id: externalId.meta({
    description: "The platform's own id of the subject, percent-encoded.",
    example: USER_EXAMPLE,
  }),
  projectId: pathText('Id of the project.', PROJECT_EXAMPLE.id),
});

const kindCounts = z.object({
  verified: z.int().min(0).meta({ description: 'Confirmed by a party other than the subject.' }),
  expired: z.int().min(0).meta({ description: 'Verified ones that have expired.' }),
  selfReported: z.int().min(0).meta({ description: 'Not confirmed by another party.' }),
});

const noCounts = { verified: 0, expired: 0, selfReported: 0 };

export type VerifiedProfile = z.output<typeof VerifiedProfile>;
export const VerifiedProfile = z
  .object({
    userId: z.string(),
    verifiedProfileVersion: z.string(),
    asOf: instant.meta({ description: 'The moment to which `expired` and `current` refer.' }),
    total: kindCounts,
    kinds: z.object({
      employment: kindCounts,
      education: kindCounts,
      certification: kindCounts,
      skill: kindCounts,
    }),
    qualifications: z
      .array(
        z.object({
          ...qualificationFields,
          status: z.enum(qualificationStatuses),
          recordedAt: instant,
        }),
      )
      .meta({
        description: 'Verified qualifications, newest first, at most 100. Self-reported ones are not listed.',
      }),
    truncated: z
      .boolean()
      .meta({ description: 'True if there are more verified qualifications than listed.' }),
    projects: z.int().min(0).meta({ description: 'How many projects the subject presents.' }),
    disclosures: z.array(z.string()).meta({ description: 'Show these wherever you show the profile.' }),
  })
  .meta({
    id: 'VerifiedProfile',
    description: 'What others confirmed about a person besides outcomes. It is independent of the score.',
    example: {
      userId: USER_EXAMPLE,
      verifiedProfileVersion: '1.0',
      asOf: '2026-03-02T09:00:00.000Z',
      total: { verified: 1, expired: 0, selfReported: 2 },
      kinds: {
        employment: noCounts,
        education: noCounts,
        certification: { verified: 1, expired: 0, selfReported: 0 },
        skill: { ...noCounts, selfReported: 2 },
      },
      qualifications: [
        {
          id: QUALIFICATION_EXAMPLE.id,
          kind: 'certification',
          eventType: 'CERTIFICATION_VERIFIED',
          title: 'Gas safety engineer',
          issuer: 'Northern Trades Board',
          startDate: null,
          endDate: null,
          issuedAt: '2025-06-01T00:00:00.000Z',
          expiresAt: '2028-06-01T00:00:00.000Z',
          url: 'https://register.trades.example/engineers/20817',
          verifiedBy: 'northern-trades-board',
          status: 'current',
          recordedAt: '2026-03-01T09:00:00.000Z',
        },
      ],
      truncated: false,
      projects: 1,
      disclosures: [
        'A measure of its own: it never moves the reliability score, and the score never moves it.',
      ],
    },
  });
