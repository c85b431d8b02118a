import { eventTypes, factorNames, model, scoreBands } from '@reliability/scoring';
import { z } from 'zod';
import { modelExplanation, modelLimits } from './modelTexts.js';

const typeList = z.array(z.enum(eventTypes));
const numberBy = (names: readonly string[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.number()])));
const numbersOf = (part: object) => numberBy(Object.keys(part));

export const scoringModel = { ...model, explanation: modelExplanation, limits: modelLimits };

/**
 * Every constant of the formula as data. The groups of plain numbers take their names from the
 * model itself.
 */
export const ScoringModel = z
  .object({
    formulaVersion: z.string(),
    reasonCodesVersion: z.string(),
    keyFactorLimit: z.int().min(0),
    scoreMinimum: z.number(),
    scoreMaximum: z.number(),
    anchor: z.number().meta({ description: 'Starting point of a record without evidence.' }),
    halfLifeDays: z
      .number()
      .meta({ description: 'Number of days after which an outcome has half its weight.' }),
    breachSeverity: z.number().meta({ description: 'Weight of a breach relative to a positive outcome.' }),
    timelinessPrior: z.number(),
    disputeMultiplier: z.number(),
    disputeOffset: z.number().meta({ description: 'How much a dispute resolved for the subject offsets.' }),
    evidenceHalf: z.number().meta({
      description: 'Verified mass that moves a score half of the way from its start to the verified quality.',
    }),
    unverifiedGateMax: z
      .number()
      .meta({ description: 'Maximum share of the way that unverified outcomes move the start.' }),
    unverifiedHalf: z
      .number()
      .meta({ description: 'Unverified mass that moves the start half of that share.' }),
    confidenceHalf: z.number().meta({ description: 'Verified evidence at which confidence is 0.5.' }),
    unprovenCeiling: z.number().meta({
      description: 'The highest score without verified evidence. It is derived from the other constants.',
    }),
    fairCeiling: z.number().meta({
      description:
        'The highest score that unverified outcomes can produce. A record that has more without them keeps it.',
    }),
    factors: z.array(z.enum(factorNames)),
    weights: numbersOf(model.weights).meta({ description: 'Weights of the four factors. They sum to 1.' }),
    stakeWeights: numbersOf(model.stakeWeights),
    tierMultipliers: numbersOf(model.tierMultipliers).meta({
      description: 'Multiplier by trust in the reporting platform.',
    }),
    classes: z
      .object({ positive: typeList, breach: typeList, contested: typeList })
      .meta({ description: 'Class of each event type in the formula. All other types are ignored.' }),
    unscoredKinds: z.object({ qualification: typeList, project: typeList }),
    bands: z.array(z.object({ band: z.enum(scoreBands), minimum: z.number() })),
    confidenceLabels: z.array(z.object({ label: z.string(), minimum: z.number() })),
    components: numbersOf(model.components),
    reasonCodes: numbersOf(model.reasonCodes).meta({ description: 'Threshold of each reason.' }),
    rounding: numbersOf(model.rounding).extend({ mode: z.string() }),
    explanation: z.string().meta({ description: 'The formula in plain words.' }),
    limits: z.array(z.string()).meta({ description: 'Limits of what a score says.' }),
  })
  .meta({
    id: 'ScoringModel',
    description: 'Formula 5.3 as data: anyone can recompute a score from these constants and the ledger.',
    example: scoringModel,
  });
