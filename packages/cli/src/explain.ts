import { type components, createClient } from '@reliability/client';
import { dayFromIso } from '@reliability/scoring';
import { positionalsOf } from './arguments.js';
import type { Context } from './command.js';
import { UsageError } from './commandError.js';
import { exitCodes } from './exitCodes.js';
import { type Output, plain } from './output.js';
import { requireKey } from './settings.js';

type Explanation = components['schemas']['ScoreExplanation'];

/** Explains a score: its largest move of late, and a waterfall from the starting value to the score. */
export async function explain(context: Context): Promise<number> {
  const { args, output } = context;
  const { id } = positionalsOf(args, 'id');
  const asOf = args.text('as-of');
  if (asOf !== undefined && !isDay(asOf))
    throw new UsageError(`--as-of must be an existing day as YYYY-MM-DD, not ${asOf}.`);
  const { url, key } = await requireKey(context);
  const client = createClient({ baseUrl: url, key });
  const explanation = await client.explainScore(id, asOf === undefined ? {} : { asOf });
  const moved = asOf === undefined ? (await client.explainScoreMove(id)).sentence : null;
  output.result(explanation, () => explanationLines(explanation, moved, output));
  return exitCodes.done;
}

function isDay(text: string): boolean {
  try {
    dayFromIso(text);
    return true;
  } catch {
    return false;
  }
}

function explanationLines(explanation: Explanation, moved: string | null, output: Output): string[] {
  const { userId, asOf, finalScore, scoreBand, reasonCodes } = explanation;
  const { adverseActionReasons, supportingFactors, disclosures } = reasonCodes;
  const day = asOf === undefined ? '' : `  as of ${asOf}`;
  return [
    `${output.paint('bold', plain(userId))}  ${output.paint('bold', finalScore.toFixed(2))}  ${scoreBand}${day}`,
    ...(moved === null ? [] : [plain(moved)]),
    '',
    ...waterfall(explanation, output),
    ...reasons('What lowers it', adverseActionReasons, output),
    ...reasons('What raises it', supportingFactors, output),
    '',
    ...disclosures.map((text) => output.paint('dim', text)),
  ];
}

const NAME_WIDTH = 14;
const MIN_BAR = 20;
const MAX_BAR = 60;

interface Step {
  name: string;
  from: number;
  to: number;
  label: string;
}

/** Each factor begins where the one before it ended. */
function waterfall({ factors, finalScore }: Explanation, output: Output): string[] {
  const sum = factors.reduce((total, { contribution }) => total + contribution, 0);
  const start = Math.round((finalScore - sum) * 100) / 100;
  let at = start;
  const steps: Step[] = factors.map(({ name, contribution }) => {
    const from = at;
    at += contribution;
    return {
      name,
      from,
      to: at,
      label: `${contribution < 0 ? '−' : '+'}${Math.abs(contribution).toFixed(2)}`,
    };
  });
  const all: Step[] = [
    { name: 'start', from: 0, to: start, label: start.toFixed(2) },
    ...steps,
    { name: 'score', from: 0, to: finalScore, label: finalScore.toFixed(2) },
  ];
  // A factor can lead past the ends of the scale; a later one leads back.
  const low = Math.min(0, ...steps.map(({ to }) => to));
  const high = Math.max(100, ...steps.map(({ to }) => to));
  const width = Math.max(MIN_BAR, Math.min(MAX_BAR, output.width - NAME_WIDTH - 14));
  const column = (points: number) => Math.round(((points - low) / (high - low)) * width);
  return all.map(
    (step) =>
      `  ${step.name.padEnd(NAME_WIDTH)}${drawn(step, column, width, output)}  ${step.label.padStart(7)}`,
  );
}

function drawn(
  { name, from, to }: Step,
  column: (points: number) => number,
  width: number,
  output: Output,
): string {
  const [left, right] = [column(Math.min(from, to)), column(Math.max(from, to))];
  const length = Math.max(from === to ? 0 : 1, right - left);
  const begin = Math.min(left, width - length);
  const isTotal = name === 'start' || name === 'score';
  const mark = isTotal ? '█' : to < from ? '▒' : '▓';
  const style = isTotal ? 'cyan' : to < from ? 'red' : 'green';
  return `${' '.repeat(begin)}${output.paint(style, mark.repeat(length))}${' '.repeat(width - begin - length)}`;
}

type Reason = components['schemas']['ScoreReason'];

function reasons(title: string, list: readonly Reason[], output: Output): string[] {
  if (list.length === 0) return [];
  return [
    '',
    title,
    ...list.map(
      ({ code, title: name, description }) => `  ${name}. ${description} ${output.paint('dim', `(${code})`)}`,
    ),
  ];
}
