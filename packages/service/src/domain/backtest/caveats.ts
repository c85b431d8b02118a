import { MIN_PAIRS } from './formulaFigures.js';
import { counted } from './plainWords.js';
import type { BacktestReport } from './report.js';

/** What a reader of the figures has to know, the most general first. */
export function caveatsOf(
  { by, asOf, everyDays, horizonDays, pairs, unscoredPairs }: Omit<BacktestReport, 'caveats'>,
  leftOutCutoffs: number,
): string[] {
  const repeats = Math.ceil(horizonDays / everyDays);
  return [
    'A score says how much reliability is proven. It is not the probability that the next job is kept: ' +
      'newcomers rank below what they are worth.',
    'Only subjects who had a verified outcome after a cut-off are counted. Nothing is known about those who got no work.',
    by === 'recorded'
      ? 'A score rests on what was recorded before its cut-off. Imported history is missing at the cut-offs before its import.'
      : 'A score rests on what had happened before its cut-off, as if it had been recorded at once. ' +
        'Late reports look earlier than they were.',
    'Each subject is scored by its own ledger. Linked records are not joined.',
    'A disputed outcome counts by how its dispute ended. It is left out while the dispute is open.',
    ...(repeats > 1
      ? [
          `An outcome follows up to ${repeats} cut-offs and counts for each. The intervals of rates treat these pairs as ` +
            'independent and are too narrow. The interval of the AUC resamples whole subjects and is not.',
        ]
      : [
          'The intervals of rates treat the outcomes of a subject as independent and are too narrow. ' +
            'The interval of the AUC resamples whole subjects and is not.',
        ]),
    ...(asOf.length === 0
      ? [`There is no cut-off in these days whose horizon of ${horizonDays} days has ended.`]
      : pairs < MIN_PAIRS
        ? [`Number of pairs: ${pairs}. Fewer than ${MIN_PAIRS} show little.`]
        : []),
    ...(unscoredPairs > 0
      ? [`Pairs left out because the subject had no score at the cut-off: ${counted(unscoredPairs)}.`]
      : []),
    ...(leftOutCutoffs > 0
      ? [`Earlier cut-offs left out to bound the work: ${leftOutCutoffs}. Give a later \`from\`.`]
      : []),
  ];
}
