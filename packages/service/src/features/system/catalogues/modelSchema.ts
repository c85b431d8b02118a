import { eventTypes, factorNames, model, scoreBands } from '@reliability/scoring';
import { z } from 'zod';
import { modelExplanation, modelLimits } from './modelTexts.js';

const typeList = z.array(z.enum(eventTypes));
const numberBy = (names: readonly string[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.number()])));
const numbersOf = (part: object) => numberBy(Object.keys(part));

/** What `GET /scoring/model` serves. */
export const scoringModel = { ...model, explanation: modelExplanation, limits: modelLimits };

/** Every constant of the formula as data. The groups of plain numbers take their names from the model itself. */
export const ScoringModel = z
  .object({
    formulaVersion: z.string(),
    reasonCodesVersion: z.string(),
    keyFactorLimit: z.int().min(0),
    scoreMinimum: z.number(),
    scoreMaximum: z.number(),
    anchor: z.number().meta({ description: 'Where a record without evidence stands.' }),
    halfLifeDays: z.number().meta({ description: 'After this many days an outcome weighs half.' }),
    breachSeverity: z.number().meta({ description: 'What a breach weighs against a positive outcome.' }),
    timelinessPrior: z.number(),
    disputeMultiplier: z.number(),
    disputeOffset: z.number().meta({ description: 'How much a dispute resolved for the subject takes off.' }),
    evidenceHalf: z.number().meta({
      description:
        'Verified mass that carries a score half of the way from its start to the verified quality.',
    }),
    unverifiedGateMax: z
      .number()
      .meta({ description: 'The share of the way that unverified outcomes carry the start at most.' }),
    unverifiedHalf: z
      .number()
      .meta({ description: 'Unverified mass that carries the start half of that share.' }),
    confidenceHalf: z.number().meta({ description: 'Verified evidence at which confidence is 0.5.' }),
    unprovenCeiling: z.number().meta({
      description: 'The highest score without verified evidence. It follows from the other constants.',
    }),
    fairCeiling: z.number().meta({
      description:
        'The highest score that unverified outcomes can lift to, unless the record has more without them.',
    }),
    factors: z.array(z.enum(factorNames)),
    weights: numbersOf(model.weights).meta({ description: 'Of the four factors; they sum to 1.' }),
    stakeWeights: numbersOf(model.stakeWeights),
    tierMultipliers: numbersOf(model.tierMultipliers).meta({
      description: 'Trust in the reporting platform.',
    }),
    classes: z
      .object({ positive: typeList, breach: typeList, contested: typeList })
      .meta({ description: 'What an event type is to the formula; every other type enters no sum.' }),
    unscoredKinds: z.object({ qualification: typeList, project: typeList }),
    bands: z.array(z.object({ band: z.enum(scoreBands), minimum: z.number() })),
    confidenceLabels: z.array(z.object({ label: z.string(), minimum: z.number() })),
    components: numbersOf(model.components),
    reasonCodes: numbersOf(model.reasonCodes).meta({ description: 'From where on each reason applies.' }),
    rounding: numbersOf(model.rounding).extend({ mode: z.string() }),
    explanation: z.string().meta({ description: 'The formula in plain words.' }),
    limits: z.array(z.string()).meta({ description: 'What a score does not say.' }),
  })
  .meta({
    id: 'ScoringModel',
    description: 'Formula 5.3 as data: with these constants and the ledger anyone can compute a score again.',
    example: scoringModel,
  });
