import { text } from 'node:stream/consumers';
import { type Client, type components, createClient } from '@reliability/client';
import { positionalsOf } from './arguments.js';
import type { Context } from './command.js';
import { UsageError } from './commandError.js';
import { exitCodes } from './exitCodes.js';
import { type Output, plain } from './output.js';
import { requireKey } from './settings.js';

type Review = components['schemas']['Review'];
type Answer = Parameters<Client['answerReview']>[1];

/** Lists what subjects object to, or answers one of their reviews. */
export async function reviews(context: Context): Promise<number> {
  const [action = 'list', ...positionals] = context.args.positionals;
  switch (action) {
    case 'list':
      return list({ ...context, args: { ...context.args, positionals } });
    case 'answer':
      return answer({ ...context, args: { ...context.args, positionals } });
    default:
      throw new UsageError(`reviews needs list or answer, not '${action}'.`);
  }
}

async function list(context: Context): Promise<number> {
  const { args, output } = context;
  positionalsOf(args);
  refuse(context, ANSWER_OPTIONS, 'list');
  const status = args.text('status') as Review['status'] | undefined;
  const { url, key } = await requireKey(context);
  const found: Review[] = [];
  const query = { limit: 100, ...(status !== undefined && { status }) };
  for await (const review of createClient({ baseUrl: url, key }).listReviews.each(query)) found.push(review);
  output.result({ reviews: found }, () =>
    found.length === 0 ? ['There is no such review.'] : found.flatMap((review) => linesOf(review, output)),
  );
  return exitCodes.done;
}

const ANSWER_OPTIONS = ['outcome', 'text', 'reviewer'] as const;

async function answer(context: Context): Promise<number> {
  const { args, output } = context;
  const { id } = positionalsOf(args, 'id');
  refuse(context, ['status'], 'answer');
  const outcome = args.text('outcome') as Answer['outcome'] | undefined;
  const reviewer = args.text('reviewer');
  if (outcome === undefined) throw new UsageError('--outcome is missing: UPHELD, CORRECTED or PARTLY.');
  if (reviewer === undefined)
    throw new UsageError('--reviewer is missing: the name of the person who decided.');
  const { url, key } = await requireKey(context);
  const answered = await createClient({ baseUrl: url, key }).answerReview(id, {
    outcome,
    text: args.text('text') ?? (await textOnStdin()),
    reviewer,
  });
  output.result(answered, () => linesOf(answered, output));
  return exitCodes.done;
}

function refuse({ args }: Context, options: readonly string[], action: string): void {
  const given = options.find((option) => args.text(option) !== undefined);
  if (given !== undefined) throw new UsageError(`\`reviews ${action}\` does not take --${given}.`);
}

async function textOnStdin(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  throw new UsageError('The answer is missing. Give it with --text, or on stdin.');
}

function linesOf(review: Review, output: Output): string[] {
  const { id, userId, eventId, openedAt, text: words, answer: reply, reviewer } = review;
  const about = eventId === null ? 'the record' : `event ${eventId}`;
  return [
    `${output.paint('bold', plain(userId))}  ${stateOf(review, output)}  ${output.paint('dim', id)}`,
    `  about ${about}, opened ${openedAt}`,
    ...(words === null ? [] : [`  ${plain(words)}`]),
    ...(reply === null ? [] : [`  ${plain(reviewer ?? '')}: ${plain(reply)}`]),
  ];
}

function stateOf({ status, outcome, overdue, respondBy, answeredAt }: Review, output: Output): string {
  if (status === 'OPEN') {
    const deadline = `OPEN, answer by ${respondBy}`;
    return overdue ? output.paint('red', `${deadline}: overdue`) : output.paint('yellow', deadline);
  }
  return status === 'ANSWERED' ? `${outcome} ${answeredAt}` : status;
}
