import { z } from 'zod';
import { scoreFields } from '#domain/scoreFields.js';
import { instant } from '#kit/http/query.js';

export const CareerQuery = z.object({
  format: z.enum(['jsonresume', 'jsonld']).optional().default('jsonresume'),
});

const text = z.string();
const day = z.iso.date().optional();
const link = z.url().optional();

const verification = z.object({
  verified: z.boolean(),
  confirmedThrough: z.enum(['reference', 'platform']).nullable(),
  expiresAt: instant.nullable(),
  expired: z.boolean(),
  recordedAt: instant,
});

const extras = { url: link, 'x-verification': verification };
const described = { 'x-description': text.optional() };

const reliability = z.object({
  userId: text,
  issuer: z.url(),
  verifyUrl: z.url().nullable(),
  complete: z.boolean(),
  score: z
    .object({
      finalScore: scoreFields.finalScore,
      scoreBand: scoreFields.scoreBand,
      confidence: scoreFields.confidence,
      totalEvents: scoreFields.totalEvents,
      verifiedEvents: scoreFields.verifiedEvents,
      frozen: z.boolean(),
      formulaVersion: scoreFields.formulaVersion,
      computedAt: scoreFields.computedAt,
    })
    .nullable(),
  disclosures: z.array(text),
});

export const ResumeCareer = z
  .object({
    $schema: z.url(),
    basics: z.object({
      name: text,
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
  .meta({ id: 'CareerResume' });

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
  .meta({ id: 'CareerLinkedData' });
