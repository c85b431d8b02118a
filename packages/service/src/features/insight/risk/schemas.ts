import { z } from 'zod';
import { CappedConcentration, CONCENTRATION_EXAMPLE } from '../../../domain/concentration.js';
import { riskLevels, riskSignalCodes, riskSignals } from '../../../domain/riskSignals/detectRisk.js';
import { severities } from '../../../domain/riskSignals/riskFacts.js';
import { tenureFields } from '../../../domain/tenure.js';

export type Risk = z.output<typeof Risk>;
export const Risk = z
  .object({
    userId: z.string().meta({ description: "The caller's own id of the subject, as asked." }),
    level: z.enum(riskLevels).meta({ description: 'The severity of the most severe signal.' }),
    advisory: z
      .literal(true)
      .meta({ description: 'For people to review. It decides nothing and affects no score.' }),
    signals: z
      .array(
        z.object({
          code: z.enum(riskSignalCodes),
          severity: z.enum(severities),
          title: z.string(),
          description: z.string().meta({ description: 'What was measured, and the threshold.' }),
          evidence: z.record(z.string(), z.union([z.number(), z.string(), z.null()])).meta({
            description:
              'The figures behind it. `eventsLookedAt` is less than `eventsOnRecord` if only the latest 1000 were read.',
          }),
        }),
      )
      .meta({ description: 'Most severe first. Empty: none of the signals applies.' }),
    ...tenureFields,
    concentration: CappedConcentration.nullable().meta({
      description:
        'How far the verified outcomes of the whole record, which `finalScore` counts, rest on few parties. Null before the first score, ' +
        'and for a record with more than 100,000 kinds of outcomes by day and party.',
    }),
  })
  .meta({
    id: 'Risk',
    description: 'Signs that a record may be gamed: deterministic statistics over your own events.',
    example: {
      userId: 'worker-4711',
      level: 'elevated',
      advisory: true,
      signals: [
        {
          code: 'SINGLE_WITNESS',
          severity: 'elevated',
          ...riskSignals.SINGLE_WITNESS.text,
          evidence: {
            witness: 'client-12',
            confirmedByIt: 8,
            witnessedEvents: 10,
            distinctWitnesses: 3,
            topShare: 0.8,
            concentration: 0.66,
            effectiveWitnesses: 1.52,
            eventsLookedAt: 14,
            eventsOnRecord: 14,
          },
        },
      ],
      registeredAt: '2025-09-14T08:30:00.000Z',
      tenureDays: 168,
      concentration: CONCENTRATION_EXAMPLE,
    },
  });
