import { eventTypes, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { outcomeTime } from '../../../domain/timestamp.js';
import type { ReadonlyDeep } from '../../../kit/http/answer.js';
import { storableText } from '../../../kit/http/query.js';
import { witnessGuide } from './documentAttesters.js';
import { projectionFields } from './projectionSchemas.js';

const name = storableText(1, 255);

export type DocumentsBody = z.output<typeof DocumentsBody>;
export const DocumentsBody = z
  .object({
    claims: z
      .array(
        z.object({
          title: name,
          eventType: z.enum(eventTypes),
          stakeLevel: z.enum(stakeLevels).nullish(),
          issuedBy: name.nullish(),
          counterpartyRef: name.nullish(),
          completedAt: outcomeTime.nullish(),
          dueDate: outcomeTime.nullish(),
          isVerified: z.boolean().nullish(),
        }),
      )
      .min(1)
      .max(50),
  })
  .meta({ id: 'DocumentClaims' });

const witnessTypeValues = witnessGuide.witnessTypes.map(({ value }) => value);

export type DocumentAdvice = ReadonlyDeep<z.output<typeof DocumentAdvice>>;
export const DocumentAdvice = z
  .object({
    claims: z.array(
      z.object({
        index: z.int().min(0),
        witness: z.object({
          who: z.string(),
          witnessType: z.enum(witnessTypeValues),
          hint: z.string(),
        }),
        verifiedAsSubmitted: z.boolean(),
        advice: z.string(),
      }),
    ),
    projection: z.object({
      asSubmitted: z.object(projectionFields),
      ifConfirmed: z.object(projectionFields),
    }),
    witnessGuide: z.object({
      note: z.string(),
      witnessTypes: z.array(z.object({ value: z.string(), label: z.string(), description: z.string() })),
      steps: z.array(z.string()),
    }),
  })
  .meta({ id: 'DocumentAnalysis' });
