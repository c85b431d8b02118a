import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { parseNetworks } from './addressGuard.js';
import type { Clock } from './clock.js';
import { createOutboundFetch, type OutboundAnswer, OutboundError } from './outboundFetch.js';

/** The AI endpoint of the operator: any that implements OpenAI's chat completions. */
export interface AiAddress {
  /** Without a slash at the end. Requests go to `<baseUrl>/chat/completions`. */
  baseUrl: string;
  /** Sent as a bearer token. Many local servers need none. */
  apiKey: string | undefined;
  model: string;
}

interface Order {
  task: string;
  material: string;
  isFine(text: string): boolean;
}

export type TextModel = ReturnType<typeof createTextModel>;

interface AiDeps extends AiAddress {
  clock: Clock;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Of a request; it covers waiting for a connection, DNS and the answer. Default: 3 s (RULES S3). */
  deadlineMs?: number | undefined;
}

/** Writes texts with an AI, which can fail at any time and is not trusted. */
export function createTextModel(deps: AiDeps) {
  const { baseUrl, apiKey, model, clock, log, deadlineMs = DEADLINE_MS } = deps;
  const outbound = createOutboundFetch({ allowed: EVERY_ADDRESS, connectionsPerOrigin: MAX_AT_ONCE });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  let underWay = 0;
  let failuresInARow = 0;
  let pausedUntilMs = 0;

  return {
    name: model,
    /** Resolves within 3 s to at most 2000 characters of plain text, or to null. Never rejects. */
    async write({ task, material, isFine }: Order): Promise<string | null> {
      if (underWay >= MAX_UNDER_WAY) return given('busy');
      if (failuresInARow >= MAX_FAILURES) {
        if (clock.now().getTime() < pausedUntilMs) return null;
        // One call is tried after each pause; the others wait another pause for its result.
        pause();
      }
      underWay += 1;
      try {
        const text = await ask(task, material);
        failuresInARow = 0;
        return isFine(text) ? text : given('unfit');
      } catch (error) {
        failuresInARow += 1;
        if (failuresInARow < MAX_FAILURES) return given(kindOf(error));
        pause();
        return given(kindOf(error), { pausedForSeconds: PAUSE_MS / 1000 });
      } finally {
        underWay -= 1;
      }
    },
    close: () => outbound.close(),
  };

  /** Spares callers the wait for an endpoint that keeps failing. */
  function pause(): void {
    pausedUntilMs = clock.now().getTime() + PAUSE_MS;
  }

  /** No temperature and no token limit: some endpoints refuse unknown fields. */
  async function ask(task: string, material: string): Promise<string> {
    const messages = [
      { role: 'system', content: task },
      { role: 'user', content: material },
    ];
    const body = JSON.stringify({ model, messages, stream: false });
    const limits = { timeoutMs: deadlineMs, keepBytes: MAX_ANSWER_BYTES };
    return textOf(await outbound.post({ url: `${baseUrl}/chat/completions`, headers, body, ...limits }));
  }

  /** Logs without the texts sent or received: they are about a person, or untrusted. */
  function given(failure: string, more: object = {}): null {
    log.warn({ failure, ...more }, 'the AI gave no text');
    return null;
  }
}

/** The operator configures this one address, possibly on the same machine. No caller can choose it. */
const EVERY_ADDRESS = parseNetworks('0.0.0.0/0, ::/0');
const DEADLINE_MS = 3000;
const MAX_AT_ONCE = 8;
/** Requests beyond the connections wait for one, within their deadline. */
const MAX_UNDER_WAY = 32;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_CHARACTERS = 2000;
const MAX_FAILURES = 5;
const PAUSE_MS = 30_000;

/** Not the message of an error: a parser quotes the text that it could not read. */
function kindOf(error: unknown): string {
  if (error instanceof AiFailure) return error.message;
  return error instanceof OutboundError ? error.reason : 'unexpected';
}

/** Why an answer gave no text. The message is a short word for the log, without any of the content. */
class AiFailure extends Error {}

/** The text of a chat completion, made plain. Throws AiFailure if there is none. */
function textOf({ status, headers, text }: OutboundAnswer): string {
  // A redirect is a failure too: the key is meant for the configured address only.
  if (status < 200 || status > 299) throw new AiFailure(`status ${status}`);
  if (headers['content-type']?.startsWith('text/event-stream')) throw new AiFailure('streamed');
  const completion = Completion.safeParse(parsed(text));
  if (!completion.success) throw new AiFailure('unreadable');
  const plain = plainTextOf(completion.data.choices[0].message.content);
  if (plain === '') throw new AiFailure('empty');
  return plain;
}

const Completion = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })], z.unknown()),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Control and invisible characters can reorder or hide text. */
export function plainTextOf(raw: string): string {
  const plain = raw
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[^\P{C}\n]/gu, '')
    .replace(/[<>*`]/g, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  // Drops half of a surrogate pair at the cut.
  return plain
    .slice(0, MAX_CHARACTERS)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}
