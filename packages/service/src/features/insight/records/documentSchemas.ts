import { eventTypes, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { timestamp } from '../../../domain/timestamp.js';
import { storableText } from '../../../kit/http/query.js';
import { witnessGuide } from './documentAttesters.js';
import { PROJECTION_EXAMPLE, projectionFields } from './projectionSchemas.js';

const name = storableText(1, 255);

export const DocumentsBody = z
  .object({
    claims: z
      .array(
        z.object({
          title: name.meta({ description: 'What the document is.' }),
          eventType: z.enum(eventTypes).meta({ description: 'The event it tells of.' }),
          stakeLevel: z.enum(stakeLevels).nullish().meta({ description: 'Default: MEDIUM.' }),
          issuedBy: name.nullish().meta({ description: 'Who wrote it, as the document says.' }),
          counterpartyRef: name.nullish().meta({
            description: "The caller's own reference for the party that saw the outcome from the other side.",
          }),
          completedAt: timestamp.nullish(),
          dueDate: timestamp.nullish(),
          isVerified: z.boolean().nullish().meta({
            description: 'True when the counterparty has confirmed the outcome. Default: false.',
          }),
        }),
      )
      .min(1)
      .max(50),
  })
  .meta({
    id: 'DocumentClaims',
    description: 'What documents are said to prove, entry by entry. The documents themselves are not sent.',
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

export const DocumentAdvice = z
  .object({
    claims: z.array(
      z.object({
        index: z.int().min(0),
        witness: z.object({
          who: z
            .string()
            .meta({ description: 'The party the claim names, or what kind of party to look for.' }),
          witnessType: z.enum(witnessTypeValues),
          hint: z.string().meta({ description: 'What to ask that party.' }),
        }),
        verifiedAsSubmitted: z.boolean().meta({
          description:
            'True when it is called verified and `counterpartyRef` names another party: not the subject, who runs it, or your platform. The subject in other ' +
            'letter case, with other spaces or in compatibility characters is still the subject.',
        }),
        advice: z.string(),
      }),
    ),
    projection: z.object({
      asSubmitted: z.object(projectionFields).meta({ description: 'The claims as they stand.' }),
      ifConfirmed: z
        .object(projectionFields)
        .meta({ description: 'The same once every witness who can be asked has confirmed.' }),
    }),
    witnessGuide: z.object({
      note: z.string(),
      witnessTypes: z.array(z.object({ value: z.string(), label: z.string(), description: z.string() })),
      steps: z.array(z.string()),
    }),
  })
  .meta({
    id: 'DocumentAnalysis',
    description: 'Advice on each claim and what the claims would come to. Nothing is written.',
    example: {
      claims: [
        {
          index: 0,
          witness: {
            who: 'Harbour Homes Ltd',
            witnessType: 'customer_or_client',
            hint: 'Ask whether what the contract asks for was delivered, and whether by the day it names.',
          },
          verifiedAsSubmitted: false,
          advice:
            'A completed outcome: it counts in favour of the record. Nobody but the subject stands behind it yet, so it would be ' +
            'recorded as unverified and build little. Ask "Harbour Homes Ltd" to confirm it.',
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
