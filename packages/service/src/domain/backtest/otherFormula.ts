import {
  type FormulaConstants,
  model,
  platformTiers,
  type ScoreBand,
  scoreBands,
  stakeLevels,
  weightedFactors,
} from '@reliability/scoring';
import { z } from 'zod';
import type { OtherFormula } from './backtest.js';

const points = z.number().min(0).max(100);
const positive = z.number().gt(0).max(1e9);

function partOf<Name extends string>(names: readonly Name[], value: z.ZodType<number>) {
  return z.strictObject(
    Object.fromEntries(names.map((name) => [name, value.optional()])),
  ) as unknown as z.ZodType<Partial<Record<Name, number>>>;
}

const Constants = z.strictObject({
  anchor: points.optional(),
  halfLifeDays: z.int().min(1).max(36_500).optional(),
  breachSeverity: positive.optional(),
  timelinessPrior: positive.optional(),
  disputeMultiplier: z.number().min(0).max(1e9).optional(),
  disputeOffset: z.number().min(0).max(1e9).optional(),
  evidenceHalf: positive.optional(),
  unverifiedGateMax: z.number().min(0).max(1).optional(),
  unverifiedHalf: positive.optional(),
  confidenceHalf: positive.optional(),
  fairCeiling: points.optional(),
  weights: partOf(weightedFactors, z.number().min(0).max(1)).optional(),
  stakeWeights: partOf(stakeLevels, positive).optional(),
  tierMultipliers: partOf(platformTiers, positive).optional(),
  bands: z
    .array(z.strictObject({ band: z.enum(scoreBands), minimum: points }))
    .length(scoreBands.length)
    .optional(),
});

export const constantNames = Object.keys(Constants.shape);

export class ModelError extends Error {
  override readonly name = 'ModelError';
}

/** `bands` are replaced as a whole, members of the other objects one by one. Throws ModelError. */
export function otherFormulaOf(given: unknown): OtherFormula {
  const parsed = Constants.safeParse(given);
  if (!parsed.success) throw new ModelError(errorsOf(parsed.error).join('\n'));
  const { weights, stakeWeights, tierMultipliers, ...others } = parsed.data;
  const constants = {
    ...constantsOf(model),
    ...(others as Partial<FormulaConstants>),
    weights: { ...model.weights, ...weights },
    stakeWeights: { ...model.stakeWeights, ...stakeWeights },
    tierMultipliers: { ...model.tierMultipliers, ...tierMultipliers },
  };
  const impossible = [...impossibleWeights(constants), ...impossibleBands(constants.bands)];
  if (impossible.length > 0) throw new ModelError(impossible.join('\n'));
  return { constants, given: parsed.data, warnings: warningsOf(constants) };
}

function constantsOf(published: typeof model): FormulaConstants {
  const named = Object.entries(published).filter(([name]) => constantNames.includes(name));
  return Object.fromEntries(named) as unknown as FormulaConstants;
}

function errorsOf({ issues }: z.ZodError): string[] {
  return issues.map((issue) => {
    const place = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') {
      const names = issue.keys.map((key) => `"${place === '' ? key : `${place}.${key}`}"`).join(', ');
      return place === ''
        ? `${names}: no such constant. Constants: ${constantNames.join(', ')}.`
        : `${names}: no such member.`;
    }
    return place === ''
      ? `The file must hold a JSON object: ${issue.message}.`
      : `${place}: ${issue.message}.`;
  });
}

function* impossibleWeights({ weights }: FormulaConstants): Generator<string> {
  const sum = weightedFactors.reduce((total, factor) => total + weights[factor], 0);
  if (Math.abs(sum - 1) > 1e-9)
    yield `weights: the four weights must sum to 1, and these sum to ${Number(sum.toFixed(6))}.`;
}

function* impossibleBands(bands: FormulaConstants['bands']): Generator<string> {
  const isInOrder = scoreBands.every((band: ScoreBand, rank) => bands[rank]?.band === band);
  if (!isInOrder) yield `bands: give all six, highest first: ${scoreBands.join(', ')}.`;
  else if (bands.some(({ minimum }, rank) => minimum <= (bands[rank + 1]?.minimum ?? -1)))
    yield 'bands: each minimum must be above the next one.';
  else if (bands.at(-1)?.minimum !== 0) yield 'bands: the minimum of the last one must be 0.';
}

/** The inequalities of docs/FORMULA.md "Why 2 and 3 hold". Without them the score is not monotone (RULES S7). */
function warningsOf({ anchor, unverifiedGateMax, weights }: FormulaConstants): string[] {
  const highestStart = anchor + (100 * (1 - weights.verification) - anchor) * unverifiedGateMax;
  const lowestStart = anchor * (1 - unverifiedGateMax);
  const [completion, disputes] = [100 * weights.completion, 100 * weights.disputes];
  const TOLERANCE = 1e-9;
  return [
    ...(highestStart > completion + TOLERANCE
      ? [
          `Inequality (a) of docs/FORMULA.md fails: a start can reach ${short(highestStart)} points, and a completed outcome is ` +
            `worth ${short(completion)}. A verified good outcome could lower a score.`,
        ]
      : []),
    ...(lowestStart < disputes - TOLERANCE
      ? [
          `Inequality (b) of docs/FORMULA.md fails: a start can be as low as ${short(lowestStart)} points, and the absence of ` +
            `disputes is worth ${short(disputes)}. A breach could raise a score.`,
        ]
      : []),
  ];
}

function short(value: number): number {
  return Number(value.toFixed(2));
}
