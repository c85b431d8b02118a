import { z } from 'zod';
import { CappedConcentration } from '../../../domain/concentration.js';
import { riskLevels, riskSignalCodes } from '../../../domain/riskSignals/detectRisk.js';
import { severities } from '../../../domain/riskSignals/riskFacts.js';
import { tenureFields } from '../../../domain/tenure.js';

export type Risk = z.output<typeof Risk>;
export const Risk = z
  .object({
    userId: z.string(),
    level: z.enum(riskLevels),
    advisory: z.literal(true),
    signals: z.array(
      z.object({
        code: z.enum(riskSignalCodes),
        severity: z.enum(severities),
        title: z.string(),
        description: z.string(),
        evidence: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
      }),
    ),
    ...tenureFields,
    concentration: CappedConcentration.nullable(),
  })
  .meta({ id: 'Risk' });
