import { eventTypes, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { outcomeTime } from '../../../domain/timestamp.js';
import type { ReadonlyDeep } from '../../../kit/http/answer.js';
import { storableText } from '../../../kit/http/query.js';
import { witnessGuide } from './documentAttesters.js';
import { PROJECTION_EXAMPLE, projectionFields } from './projectionSchemas.js';

const name = storableText(1, 255);

export type DocumentsBody = z.output<typeof DocumentsBody>;
export const DocumentsBody = z
  .object({
    claims: z
      .array(
        z.object({
          title: name.meta({ description: 'Title of the document.' }),
          eventType: z.enum(eventTypes).meta({ description: 'The event that the document describes.' }),
          stakeLevel: z.enum(stakeLevels).nullish().meta({ description: 'Default: MEDIUM.' }),
          issuedBy: name.nullish().meta({ description: 'The author named in the document.' }),
          counterpartyRef: name.nullish().meta({
            description: 'Your reference for the other party to the outcome.',
          }),
          completedAt: outcomeTime.nullish(),
          dueDate: outcomeTime.nullish(),
          isVerified: z.boolean().nullish().meta({
            description: 'True if the counterparty has confirmed the outcome. Default: false.',
          }),
        }),
      )
      .min(1)
      .max(50),
  })
  .meta({
    id: 'DocumentClaims',
    description: 'The claims of documents, one by one. The documents themselves are not sent.',
    example: {
      claims: [
        {
          title: 'Acceptance protocol, roof repair',
          eventType: 'CONTRACT_FULFILLED',
          issuedBy: 'Harbour Homes Ltd',
          dueDate: '2026-02-20T17:00:00.000Z',
          completedAt: '2026-02-19T15:00:00.000Z',
        },
      ],
    },
  });

const witnessTypeValues = witnessGuide.witnessTypes.map(({ value }) => value);

export type DocumentAdvice = ReadonlyDeep<z.output<typeof DocumentAdvice>>;
export const DocumentAdvice = z
  .object({
    claims: z.array(
      z.object({
        index: z.int().min(0),
        witness: z.object({
          who: z
            .string()
            .meta({ description: 'The party that the claim names, or the kind of party to look for.' }),
          witnessType: z.enum(witnessTypeValues),
          hint: z.string().meta({ description: 'What to ask that party.' }),
        }),
        verifiedAsSubmitted: z.boolean().meta({
          description:
            'True if it was submitted as verified and `counterpartyRef` names a party other than the subject, its operator and your ' +
            'platform. Names that differ only in letter case, spaces or compatibility characters are the same party.',
        }),
        advice: z.string(),
      }),
    ),
    projection: z.object({
      asSubmitted: z.object(projectionFields).meta({ description: 'The claims as submitted.' }),
      ifConfirmed: z
        .object(projectionFields)
        .meta({ description: 'The claims after every witness that can be asked has confirmed.' }),
    }),
    witnessGuide: z.object({
      note: z.string(),
      witnessTypes: z.array(z.object({ value: z.string(), label: z.string(), description: z.string() })),
      steps: z.array(z.string()),
    }),
  })
  .meta({
    id: 'DocumentAnalysis',
    description: 'Advice on each claim, and the score with the claims. Nothing is written.',
    example: {
      claims: [
        {
          index: 0,
          witness: {
            who: 'Harbour Homes Ltd',
            witnessType: 'customer_or_client',
            hint: 'Ask whether the contract was fulfilled, and whether by the agreed date.',
          },
          verifiedAsSubmitted: false,
          advice:
            'A completed outcome: it counts in favour of the record. No other party has confirmed it yet, so it would be ' +
            'recorded as unverified and count little. Ask "Harbour Homes Ltd" to confirm it.',
        },
      ],
      projection: {
        asSubmitted: {
          ...PROJECTION_EXAMPLE,
          projected: { score: 64.02, band: 'Fair' },
          delta: { score: 0.12, band: null },
        },
        ifConfirmed: PROJECTION_EXAMPLE,
      },
      witnessGuide: { ...witnessGuide, steps: [...witnessGuide.steps] },
    },
  });
