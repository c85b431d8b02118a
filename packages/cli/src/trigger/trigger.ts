import { randomBytes } from 'node:crypto';
import { createClient, type Envelope } from '@reliability/client';
import { positionalsOf } from '../arguments.js';
import type { Context } from '../command.js';
import { CommandError, UsageError } from '../commandError.js';
import { exitCodes } from '../exitCodes.js';
import { openStream } from '../listen/openStream.js';
import { requireKey } from '../settings.js';
import { causes, isTriggerable, type Wait } from './causes.js';

const LIMIT_MS = 30_000;

/**
 * Causes an event of a type by acts in test mode, and waits until the service has sent it. The
 * subject is new, so that no data of others changes.
 */
export async function trigger(context: Context): Promise<number> {
  const { args, output } = context;
  const { type } = positionalsOf(args, 'type');
  if (!isTriggerable(type)) throw new UsageError(whyNot(type));
  const { url, key } = await requireKey(context);
  if (!key.startsWith('crd_test_'))
    throw new UsageError('trigger needs a test key (crd_test_…), because it writes data.');
  const client = createClient({ baseUrl: url, key });
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), LIMIT_MS);
  const { seen, opened } = collect({ baseUrl: url, key }, stop.signal);
  const wait: Wait = (matches) => seen.first(matches);
  try {
    await opened;
    const userId = `trigger-${randomBytes(4).toString('hex')}`;
    const envelope = await causes[type]({ client, userId, wait });
    output.result(envelope, [
      `${output.paint('green', envelope.type)} was sent. Envelope ${envelope.id}.`,
      JSON.stringify(envelope.data, null, 2),
    ]);
    return exitCodes.done;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw new CommandError(
      `No ${type} was sent within ${LIMIT_MS / 1000} s. Check that a process with ROLE=worker or ROLE=all runs.`,
    );
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

function whyNot(type: string): string {
  const list = Object.keys(causes).join(', ');
  return BY_TIME.has(type)
    ? `${type} is sent when time has passed, so it cannot be triggered. POST /webhooks/{id}/test with {"type":"${type}"} sends a sample.`
    : `There is no event type '${type}' that can be triggered. Types: ${list}.`;
}

const BY_TIME = new Set([
  'confirmation.awaiting_response',
  'confirmation.expiring_soon',
  'key.expiring',
  'review.overdue',
  'usage.quota_warning',
]);

interface Waiter {
  matches(envelope: Envelope): boolean;
  resolve(envelope: Envelope): void;
  reject(error: unknown): void;
}

/** Reads the stream from before the first act, so that no envelope is missed. */
function collect(settings: { baseUrl: string; key: string }, signal: AbortSignal) {
  const envelopes: Envelope[] = [];
  const waiters = new Set<Waiter>();
  let onOpen = () => {};
  let onRefusal = (_: unknown) => {};
  const opened = new Promise<void>((resolve, reject) => {
    onOpen = resolve;
    onRefusal = reject;
  });
  const stream = openStream(settings, { signal }, (state) => state === 'open' && onOpen());
  const failed = (error: unknown) => {
    onRefusal(error);
    for (const { reject } of waiters) reject(error);
  };
  void (async () => {
    for await (const envelope of stream) {
      if (envelope.type === 'reset') continue;
      envelopes.push(envelope);
      for (const { matches, resolve } of waiters) if (matches(envelope)) resolve(envelope);
    }
    failed(new Error('the stream has ended'));
  })().catch(failed);
  const first = (matches: (envelope: Envelope) => boolean) =>
    new Promise<Envelope>((resolve, reject) => {
      const found = envelopes.find(matches);
      if (found) resolve(found);
      else waiters.add({ matches, resolve, reject });
    });
  return { opened, seen: { first } };
}
