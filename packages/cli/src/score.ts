import { createClient } from '@reliability/client';
import { positionalsOf } from './arguments.js';
import { bar } from './bar.js';
import type { Context } from './command.js';
import { exitCodes } from './exitCodes.js';
import { plain } from './output.js';
import { requireKey } from './settings.js';

/** Reads a score. */
export async function score(context: Context): Promise<number> {
  const { output } = context;
  const { id } = positionalsOf(context.args, 'id');
  const { url, key } = await requireKey(context);
  const found = await createClient({ baseUrl: url, key }).score(id);
  output.result(found, () => {
    const { finalScore, scoreBand, confidence, confidenceLabel, totalEvents, verifiedEvents } = found;
    return [
      `${output.paint('bold', plain(found.userId))}  ${output.paint('bold', finalScore.toFixed(2))}  ${scoreBand}`,
      `${bar(finalScore / 100, 40)}  confidence ${confidence.toFixed(2)} (${confidenceLabel})`,
      `${totalEvents} ${totalEvents === 1 ? 'outcome' : 'outcomes'}, ${verifiedEvents} verified. Computed at ${found.computedAt}, formula ${found.formulaVersion}.`,
      ...(found.frozen ? [output.paint('yellow', 'The score is frozen until a review has ended.')] : []),
    ];
  });
  return exitCodes.done;
}
