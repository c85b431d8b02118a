import { model, type ScoreBand } from '@reliability/scoring';
import type { Texts } from '../texts/texts.js';

/** Which scores a band covers, as a sentence. */
export function bandRangeOf(band: ScoreBand, { verify }: Texts): string {
  const rank = model.bands.findIndex((entry) => entry.band === band);
  const from = model.bands[rank]?.minimum ?? model.scoreMinimum;
  return verify.bandRange(verify.bands[band], from, model.bands[rank - 1]?.minimum ?? null);
}
