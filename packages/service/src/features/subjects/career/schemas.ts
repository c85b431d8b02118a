import { z } from 'zod';
import { scoreFields } from '../../../domain/scoreFields.js';
import { instant } from '../../../kit/http/query.js';
import { disclosures } from './career.js';

export const CareerQuery = z.object({
  format: z.enum(['jsonresume', 'jsonld']).optional().default('jsonresume').meta({
    description: '`jsonresume` (JSON Resume v1.0.0) or `jsonld` (schema.org).',
    example: 'jsonresume',
  }),
});

const text = z.string();
const day = z.iso.date().optional();
const link = z.url().optional();

const verification = z
  .object({
    verified: z.boolean(),
    confirmedThrough: z.enum(['reference', 'platform']).nullable().meta({
      description:
        '`reference`: a counterparty confirmed it to the service; `platform`: you reported that one did; null: self-reported.',
    }),
    expiresAt: instant.nullable(),
    expired: z.boolean().meta({ description: 'True if `expiresAt` has passed.' }),
    recordedAt: instant,
  })
  .meta({ description: 'Whether and how the entry was confirmed.' });

const extras = { url: link, 'x-verification': verification };
const described = { 'x-description': text.optional() };

const reliability = z.object({
  userId: text.meta({ description: "The caller's own id of the subject." }),
  issuer: z.url().meta({ description: 'This service.' }),
  verifyUrl: z
    .url()
    .nullable()
    .meta({ description: 'Where anyone can check the score; null if the subject has no share token.' }),
  complete: z
    .boolean()
    .meta({ description: 'False if there are more than 1000 qualifications or projects.' }),
  score: z
    .object({
      finalScore: scoreFields.finalScore,
      scoreBand: scoreFields.scoreBand,
      confidence: scoreFields.confidence,
      totalEvents: scoreFields.totalEvents,
      verifiedEvents: scoreFields.verifiedEvents,
      frozen: z.boolean().meta({ description: 'The score is under review and does not change.' }),
      formulaVersion: scoreFields.formulaVersion,
      computedAt: scoreFields.computedAt,
    })
    .nullable()
    .meta({ description: 'The score of the whole record; null before the first score.' }),
  disclosures: z.array(text),
});

const VERIFY_URL = 'https://reliability.example/verify/st_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPf';

export const ResumeCareer = z
  .object({
    $schema: z.url(),
    basics: z.object({
      name: text.meta({ description: 'Your own id of the person: the service knows no names.' }),
      location: z.object({}),
      profiles: z.array(z.object({ network: text, url: z.url() })),
    }),
    work: z.array(
      z.object({
        name: text.optional(),
        position: text,
        startDate: day,
        endDate: day,
        summary: text.optional(),
        ...extras,
      }),
    ),
    education: z.array(
      z.object({
        institution: text.optional(),
        area: text,
        startDate: day,
        endDate: day,
        ...described,
        ...extras,
      }),
    ),
    certificates: z.array(
      z.object({ name: text, date: day, issuer: text.optional(), ...described, ...extras }),
    ),
    skills: z.array(z.object({ name: text, 'x-issuer': text.optional(), ...described, ...extras })),
    projects: z.array(
      z.object({ name: text, description: text.optional(), url: link, startDate: day, endDate: day }),
    ),
    meta: z.object({ version: text, lastModified: text.optional(), 'x-reliability': reliability }),
  })
  .meta({
    id: 'CareerResume',
    description:
      'A career as JSON Resume v1.0.0. Values outside the standard are `x-` members. Dates that it cannot express are left out.',
    example: {
      $schema: 'https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json',
      basics: {
        name: 'worker-4711',
        location: {},
        profiles: [{ network: 'Reliability record', url: VERIFY_URL }],
      },
      work: [],
      education: [],
      certificates: [
        {
          name: 'Gas safety engineer',
          date: '2025-06-01',
          issuer: 'Northern Trades Board',
          url: 'https://register.trades.example/engineers/20817',
          'x-verification': {
            verified: true,
            confirmedThrough: 'reference',
            expiresAt: '2028-06-01T00:00:00.000Z',
            expired: false,
            recordedAt: '2026-03-01T09:00:00.000Z',
          },
        },
      ],
      skills: [],
      projects: [{ name: 'Kitchens of 2025', url: 'https://portfolio.example/kitchens' }],
      meta: {
        version: 'v1.0.0',
        lastModified: '2026-03-01T15:45:02Z',
        'x-reliability': {
          userId: 'worker-4711',
          issuer: 'https://reliability.example',
          verifyUrl: VERIFY_URL,
          complete: true,
          score: {
            finalScore: 78.42,
            scoreBand: 'Good',
            confidence: 0.7412,
            totalEvents: 23,
            verifiedEvents: 19,
            frozen: false,
            formulaVersion: '5.3',
            computedAt: '2026-03-01T15:45:02.161Z',
          },
          disclosures: [...disclosures],
        },
      },
    },
  });

const node = <Fields extends z.ZodRawShape>(type: string, fields: Fields) =>
  z.object({ '@type': z.literal(type), ...fields });

const organization = node('Organization', { name: text });
const mark = z.array(node('PropertyValue', { name: z.literal('verification'), value: text }));
const common = { url: link, description: text.optional(), identifier: mark };

export const LinkedCareer = z
  .object({
    '@context': z.literal('https://schema.org'),
    '@type': z.literal('Person'),
    identifier: z.array(node('PropertyValue', { propertyID: text, name: text, value: text })),
    worksFor: z.array(
      node('EmployeeRole', {
        roleName: text,
        startDate: day,
        endDate: day,
        worksFor: organization.optional(),
        ...common,
      }),
    ),
    alumniOf: z.array(
      node('OrganizationRole', {
        roleName: text,
        startDate: day,
        endDate: day,
        identifier: mark,
        alumniOf: organization,
      }),
    ),
    hasCredential: z.array(
      node('EducationalOccupationalCredential', {
        name: text,
        credentialCategory: text,
        competencyRequired: text.optional(),
        recognizedBy: organization.optional(),
        dateCreated: day,
        expires: day,
        ...common,
      }),
    ),
    hasCertification: z.array(
      node('Certification', {
        name: text,
        issuedBy: organization.optional(),
        datePublished: day,
        validFrom: day,
        expires: day,
        ...common,
      }),
    ),
    '@reverse': z.object({
      creator: z.array(
        node('CreativeWork', { name: text, url: link, description: text.optional(), dateCreated: day }),
      ),
    }),
    subjectOf: z.array(
      node('Report', {
        name: text,
        abstract: text,
        dateCreated: instant,
        version: text,
        publisher: node('Organization', { url: z.url() }),
        url: link,
      }),
    ),
  })
  .meta({
    id: 'CareerLinkedData',
    description: 'A career in the vocabulary of schema.org. The score is a report about the person.',
    example: {
      '@context': 'https://schema.org',
      '@type': 'Person',
      identifier: [
        {
          '@type': 'PropertyValue',
          propertyID: 'https://reliability.example',
          name: 'userId',
          value: 'worker-4711',
        },
      ],
      worksFor: [],
      alumniOf: [],
      hasCredential: [],
      hasCertification: [
        {
          '@type': 'Certification',
          name: 'Gas safety engineer',
          issuedBy: { '@type': 'Organization', name: 'Northern Trades Board' },
          datePublished: '2025-06-01',
          validFrom: '2025-06-01',
          expires: '2028-06-01',
          identifier: [
            { '@type': 'PropertyValue', name: 'verification', value: 'confirmed by another party' },
          ],
        },
      ],
      '@reverse': { creator: [] },
      subjectOf: [
        {
          '@type': 'Report',
          name: 'Reliability score',
          abstract:
            '78.42 of 100, band Good: 19 of 23 recorded outcomes confirmed by others. Evidence, never a decision.',
          dateCreated: '2026-03-01T15:45:02.161Z',
          version: '5.3',
          publisher: { '@type': 'Organization', url: 'https://reliability.example' },
          url: VERIFY_URL,
        },
      ],
    },
  });
