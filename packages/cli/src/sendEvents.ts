import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type Client, type components, createClient } from '@reliability/client';
import type { Arguments } from './arguments.js';
import type { Context } from './command.js';
import { UsageError } from './commandError.js';
import { refusalText } from './errorText.js';
import { exitCodes } from './exitCodes.js';
import { type Output, plain } from './output.js';
import { requireKey } from './settings.js';

type OutcomeEvent = components['schemas']['OutcomeEvent'];
type BatchResult = components['schemas']['EventBatchRecorded'];

/** Options that make up one event, and the field of each. */
const FIELDS = {
  user: 'userId',
  type: 'eventType',
  due: 'dueDate',
  completed: 'completedAt',
  stake: 'stakeLevel',
} as const;

/** Reports one outcome by options, or many from JSON. */
export async function sendEvents(context: Context): Promise<number> {
  const { args, output } = context;
  const [file, extra] = args.positionals;
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'.`);
  const byOptions = eventOf(args);
  if (file !== undefined && byOptions)
    throw new UsageError('Give a file or the options of one event, not both.');
  // Before the key: a mistake in the file needs no service.
  const events = file === undefined ? [wholeEvent(byOptions)] : await readEvents(file);
  const { url, key } = await requireKey(context);
  const client = createClient({ baseUrl: url, key });
  const [only] = events;
  return events.length === 1 && only ? sendOne(client, only, output) : sendMany(client, events, output);
}

/** The fields that options name; null if there is none. */
function eventOf(args: Arguments): Record<string, unknown> | null {
  const event: Record<string, unknown> = {};
  for (const [option, field] of Object.entries(FIELDS)) {
    const value = args.text(option);
    if (value !== undefined) event[field] = value;
  }
  if (args.isSet('verified')) event.isVerified = true;
  const value = args.text('value');
  if (value !== undefined) event.transactionValue = numberOf(value);
  const metadata = args.text('metadata');
  if (metadata !== undefined) event.metadata = jsonOf(metadata, '--metadata');
  const key = args.text('idempotency-key');
  if (key !== undefined) event.idempotencyKey = key;
  return Object.keys(event).length === 0 ? null : event;
}

function wholeEvent(event: Record<string, unknown> | null): OutcomeEvent {
  if (event === null)
    throw new UsageError('There is nothing to send. Give --user and --type, or a FILE, or - for stdin.');
  for (const option of ['user', 'type'] as const) {
    if (event[FIELDS[option]] === undefined) throw new UsageError(`--${option} is missing.`);
  }
  return event as unknown as OutcomeEvent;
}

function numberOf(value: string): number {
  const number = Number(value);
  if (value.trim() !== '' && Number.isFinite(number)) return number;
  throw new UsageError(`--value must be a number, not ${value}.`);
}

/** One event, a list, `{"events": […]}` as of POST /events/batch, or one event a line. */
async function readEvents(path: string): Promise<OutcomeEvent[]> {
  const file = path === '-' ? 'stdin' : path;
  const content = await text(path === '-' ? process.stdin : createReadStream(path)).catch((error) => {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  });
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  const isLines = lines.length > 1 && lines.every((line) => line.trimStart().startsWith('{'));
  const value: unknown = isLines
    ? lines.map((line, index) => jsonOf(line, `${file}, line ${index + 1},`))
    : jsonOf(content, file);
  const inside = isObject(value) && Array.isArray(value.events) ? value.events : value;
  const events = Array.isArray(inside) ? inside : [inside];
  if (events.length === 0) throw new UsageError(`${file} has no event.`);
  const odd = events.findIndex((event) => !isObject(event));
  if (odd >= 0) throw new UsageError(`${file}: item ${odd + 1} is not an event.`);
  return events as OutcomeEvent[];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonOf(content: string, what: string): unknown {
  try {
    return JSON.parse(content.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

async function sendOne(client: Client, event: OutcomeEvent, output: Output): Promise<number> {
  const recorded = await client.recordEvent(event);
  output.result(recorded, [
    `Recorded ${recorded.event.eventType} of ${plain(event.userId)}. Event ${recorded.eventId}.`,
    ...recorded.warnings.map(({ code, message }) => output.paint('yellow', `Warning: ${message} (${code})`)),
  ]);
  return exitCodes.done;
}

/** The limit of a batch. */
const BATCH = 100;
const MAX_PRINTED = 10;

async function sendMany(client: Client, events: readonly OutcomeEvent[], output: Output): Promise<number> {
  const total = { createdCount: 0, skippedCount: 0, failedCount: 0, results: [] as BatchResult['results'] };
  for (let start = 0; start < events.length; start += BATCH) {
    const part = await client.recordEvents({ events: events.slice(start, start + BATCH) }).catch((error) => {
      if (start > 0) output.say(`The first ${start} events were sent.`);
      throw error;
    });
    total.createdCount += part.createdCount;
    total.skippedCount += part.skippedCount;
    total.failedCount += part.failedCount;
    total.results.push(...part.results.map((result) => ({ ...result, index: start + result.index })));
  }
  output.result(total, () => {
    const failed = total.results.filter(({ status }) => status === 'failed');
    return [
      `${events.length} events: ${total.createdCount} recorded, ${total.skippedCount} already there, ${total.failedCount} failed.`,
      ...failed.slice(0, MAX_PRINTED).map(({ index, error }) => {
        // Paths count the items of one request from 0.
        const reason = error ? refusalText(error.code, error.message, error.details) : 'no reason';
        return `  item ${index + 1}: ${reason.replaceAll('\n', '\n  ').replaceAll(/\bevents\.\d+\./g, '')}`;
      }),
      ...(failed.length > MAX_PRINTED ? [`  and ${failed.length - MAX_PRINTED} more`] : []),
    ];
  });
  if (total.failedCount === 0) return exitCodes.done;
  return total.failedCount === events.length ? exitCodes.failed : exitCodes.incomplete;
}
