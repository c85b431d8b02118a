import { randomBytes } from 'node:crypto';
import { type Client, createClient, type Envelope } from '@reliability/client';
import type { Context } from '../command.js';
import { UsageError } from '../commandError.js';
import { exitCodes } from '../exitCodes.js';
import { type Output, plain } from '../output.js';
import { requireKey } from '../settings.js';
import { type Attempt, forward } from './forward.js';
import { type MessageKeys, startMessageKeys } from './messageKeys.js';
import { openStream } from './openStream.js';

const SECRET_BYTES = 32;
const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;

/** Takes the stream of the key and posts each envelope to a receiver, signed, until Ctrl-C. */
export async function listen(context: Context): Promise<number> {
  const { args, output } = context;
  if (args.positionals.length > 0) throw new UsageError(`Unexpected argument '${args.positionals[0]}'.`);
  const target = targetOf(args.text('forward-to'));
  const secret = secretOf(args.text('secret'));
  const { url, key } = await requireKey(context);
  const types = args
    .text('types')
    ?.split(',')
    .map((type) => type.trim()) as Envelope['type'][] | undefined;
  const client = createClient({ baseUrl: url, key });
  await refuseUnknown(client, types);
  const keys = args.isSet('message-signature') ? await startMessageKeys() : null;
  const stop = stopOnSignal();
  let lastId = args.text('resume');
  try {
    const stream = openStream(
      { baseUrl: url, key },
      { types, lastEventId: lastId, backfill: true, signal: stop.signal },
      (state) =>
        say(state === 'open' ? `Connected to ${url}.` : `The connection to ${url} is lost. Trying again.`),
    );
    announce({ output, url, key, target, secret, keys });
    for await (const envelope of stream) {
      if (envelope.type === 'reset') {
        output.item(envelope, `Events were missed (${envelope.reason}). Read the current data.`);
        continue;
      }
      const attempt = await forward(envelope, { target, secret, agent: keys?.agent, signal: stop.signal });
      if (stop.signal.aborted) break;
      lastId = envelope.id;
      output.item(
        { envelope: envelope.id, type: envelope.type, ...attempt },
        lineOf(envelope, attempt, output),
      );
    }
  } finally {
    stop.end();
    keys?.stop();
  }
  if (lastId !== undefined) say(`Stopped. Go on later with --resume ${lastId}`);
  return exitCodes.done;

  function say(line: string): void {
    output.say(output.paint('dim', line));
  }
}

function targetOf(text: string | undefined): URL {
  if (text === undefined) throw new UsageError('--forward-to is missing: http://localhost:4000/hook');
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`--forward-to needs an address such as http://localhost:4000/hook, not ${text}.`);
  return new URL(text);
}

function secretOf(text: string | undefined): string {
  if (text === undefined) return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  if (SECRET.test(text)) return text;
  throw new UsageError('--secret must be whsec_ and base64, as the service writes it.');
}

/** Also finds a wrong address: the stream itself would try it again forever. */
async function refuseUnknown(client: Client, types: readonly string[] = []): Promise<void> {
  const known = (await client.listWebhookEvents()).events.map(({ type }) => String(type));
  const unknown = types.find((type) => !known.includes(type));
  if (unknown !== undefined)
    throw new UsageError(`There is no event type ${unknown}. Types: ${known.join(', ')}.`);
}

interface Announced {
  output: Output;
  url: string;
  key: string;
  target: URL;
  secret: string;
  keys: MessageKeys | null;
}

function announce({ output, url, key, target, secret, keys }: Announced): void {
  const mode = key.startsWith('crd_test_') ? 'test' : 'live';
  output.say(`Forwarding ${mode} events of ${url} to ${target}`);
  output.say(`Secret: ${output.paint('bold', secret)}`);
  output.say(
    keys
      ? `Keys of the message signatures (RFC 9421): ${keys.directory}`
      : output.paint(
          'dim',
          'Signed by the two signatures that use the secret; --message-signature adds the third (RFC 9421).',
        ),
  );
  output.say(output.paint('dim', 'Stop with Ctrl-C.'));
}

function lineOf({ type, id, createdAt }: Envelope, attempt: Attempt, output: Output): string {
  const isGood = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  const result = output.paint(isGood ? 'green' : 'red', plain(String(attempt.status ?? attempt.error)));
  const late = Math.max(0, Math.round(attempt.delayMs));
  return `${createdAt}  ${type.padEnd(24)}  ${result}  ${Math.round(attempt.ms)} ms  ${output.paint('dim', `${late} ms after the event  ${id}`)}`;
}

/** Ctrl-C ends the stream, so that the last line can be printed. A second one ends the process. */
function stopOnSignal(): { signal: AbortSignal; end(): void } {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  return {
    signal: stop.signal,
    end() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
