import { model, type ScoreBand } from '@reliability/scoring';
import { fill } from '#domain/fill.js';
import type { Texts } from '../texts/texts.js';

/** Which scores a band covers, as a sentence. */
export function bandRangeOf(band: ScoreBand, { bands, verify }: Texts): string {
  const rank = model.bands.findIndex((entry) => entry.band === band);
  const from = model.bands[rank]?.minimum ?? model.scoreMinimum;
  const below = model.bands[rank - 1]?.minimum;
  const { top, between, bottom } = verify.bandRange;
  const text = below === undefined ? top : from === model.scoreMinimum ? bottom : between;
  return fill(text, { band: bands[band], from, below: below ?? model.scoreMaximum });
}
