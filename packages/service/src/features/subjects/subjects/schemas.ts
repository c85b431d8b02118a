import { z } from 'zod';
import { externalId } from '#domain/externalId.js';
import { businessFields, deliveryFields } from '#domain/outcomeRecordFields.js';
import { namesSomebody } from '#domain/sameParty.js';
import { scoreFields } from '#domain/scoreFields.js';
import { refusalOf } from '#kit/addressGuard.js';
import { instant } from '#kit/http/query.js';

/** A name. A text that names nobody, such as white space, counts as left out. */
export const name = z
  .string()
  .max(255)
  .transform((text) => (namesSomebody(text) ? text : undefined));

/**
 * For people to open; the service never fetches it. Refuses private addresses and ambiguous URLs.
 */
export const homepage = z
  .string()
  .max(2048, { abort: true })
  .superRefine((text, context) => {
    const message = homepageError(text);
    if (message === null) return;
    context.addIssue({ code: 'invalid_format', format: 'url', message, input: text });
  })
  .meta({ format: 'uri' });

function homepageError(text: string): string | null {
  // URL parsers silently drop or rewrite these characters.
  if (!/^https:\/\/[^/?#\\]/i.test(text) || /[\s\p{Cc}\\]/u.test(text)) return 'must be an https URL';
  return refusalOf(text, []);
}

const DID = /^did:[a-z0-9]+(?::(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})*)*:(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})+$/;

/** A decentralized identifier. Only its form is checked (DID Core 3.1); it is not resolved. */
export const did = z
  .string()
  .max(2048, { abort: true })
  .regex(DID, 'must be a DID, such as did:web:example.com');

const userId = externalId;

const registeredAt = {
  createdAt: instant,
  updatedAt: instant,
  declarationChangedAt: instant.nullable(),
};

const score = z
  .object({
    finalScore: scoreFields.finalScore,
    scoreBand: scoreFields.scoreBand,
    confidence: scoreFields.confidence,
    confidenceLabel: z.string(),
    totalEvents: scoreFields.totalEvents,
    verifiedEvents: scoreFields.verifiedEvents,
    frozen: z.boolean(),
    formulaVersion: scoreFields.formulaVersion,
    computedAt: scoreFields.computedAt,
  })
  .nullable();

export const AgentBody = z
  .object({
    userId,
    name: name.nullish(),
    description: z.string().max(2000).nullish(),
    platformIsOperator: z.boolean().nullish(),
    operator: z.object({ name: name.nullish(), homepage: homepage.nullish(), did: did.nullish() }).nullish(),
  })
  .meta({ id: 'AgentDeclaration' });

const agentResponse = {
  userId,
  subjectType: z.literal('AGENT'),
  name: z.string().nullable(),
  description: z.string().nullable(),
  platformIsOperator: z.boolean(),
  operator: z.object({
    name: z.string().nullable(),
    homepage: z.string().nullable(),
    did: z.string().nullable(),
  }),
  ...registeredAt,
};

export type AgentRegistered = z.output<typeof AgentRegistered>;
export const AgentRegistered = z.object(agentResponse).meta({ id: 'AgentRegistered' });

export type Agent = z.output<typeof Agent>;
export const Agent = z
  .object({
    ...agentResponse,
    score,
    deliveryRecord: z.object(deliveryFields),
  })
  .meta({ id: 'Agent' });

export const BusinessBody = z
  .object({
    userId,
    business: z
      .object({
        legalName: name.nullish(),
        tradingName: name.nullish(),
        homepage: homepage.nullish(),
        did: did.nullish(),
      })
      .nullish(),
    platformIsController: z.boolean().nullish(),
  })
  .meta({ id: 'BusinessDeclaration' });

const businessResponse = {
  userId,
  subjectType: z.literal('ORGANIZATION'),
  business: z.object({
    legalName: z.string().nullable(),
    tradingName: z.string().nullable(),
    homepage: z.string().nullable(),
    did: z.string().nullable(),
  }),
  platformIsController: z.boolean(),
  ...registeredAt,
};

export type BusinessRegistered = z.output<typeof BusinessRegistered>;
export const BusinessRegistered = z.object(businessResponse).meta({ id: 'BusinessRegistered' });

export type Business = z.output<typeof Business>;
export const Business = z.object({ ...businessResponse, score }).meta({ id: 'Business' });

export type BusinessRecord = z.output<typeof BusinessRecord>;
export const BusinessRecord = z
  .object({
    userId,
    ...businessFields,
    asOf: instant,
  })
  .meta({ id: 'BusinessRecord' });
