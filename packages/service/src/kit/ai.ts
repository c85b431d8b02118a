import type { FastifyBaseLogger } from 'fastify';
import { parseNetworks } from './addressGuard.js';
import { AiFailure, textOf } from './aiAnswer.js';
import { createCircuit } from './aiCircuit.js';
import type { Clock } from './clock.js';
import { createOutboundFetch, OutboundError } from './outboundFetch.js';

/** The AI endpoint of the operator: any that implements OpenAI's chat completions. */
export interface AiAddress {
  /** Without a slash at the end. Requests go to `<baseUrl>/chat/completions`. */
  baseUrl: string;
  /** Sent as a bearer token. Many local servers need none. */
  apiKey: string | undefined;
  model: string;
}

/** Writes texts with an AI, which can fail at any time and is not trusted. */
export interface TextModel {
  /** As configured, not as the answer claims. */
  readonly name: string;
  /**
   * Resolves within 3 s to at most 2000 characters of plain text, or to null. Never rejects.
   * @param order.task the instruction, written by us.
   * @param order.material the data to work on.
   * @param order.isFine whether the text may be shown.
   */
  write(order: { task: string; material: string; isFine(text: string): boolean }): Promise<string | null>;
  /** Waits for requests in progress (at most their deadline), then closes all connections. */
  close(): Promise<void>;
}

interface AiDeps extends AiAddress {
  clock: Clock;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Of a request; it covers waiting for a connection, DNS and the answer. Default: 3 s (RULES S3). */
  deadlineMs?: number | undefined;
}

export function createTextModel(deps: AiDeps): TextModel {
  const { baseUrl, apiKey, model, clock, log, deadlineMs = DEADLINE_MS } = deps;
  const outbound = createOutboundFetch({ allowed: EVERY_ADDRESS, connectionsPerOrigin: MAX_AT_ONCE });
  const circuit = createCircuit({ clock, failures: MAX_FAILURES, pauseMs: PAUSE_MS });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  let underWay = 0;

  return {
    name: model,
    async write({ task, material, isFine }) {
      if (underWay >= MAX_UNDER_WAY) return given('busy');
      if (!circuit.isOpenToCalls()) return null;
      underWay += 1;
      try {
        const text = await ask(task, material);
        circuit.succeeded();
        return isFine(text) ? text : given('unfit');
      } catch (error) {
        const isPausing = circuit.failed();
        return given(kindOf(error), isPausing ? { pausedForSeconds: PAUSE_MS / 1000 } : {});
      } finally {
        underWay -= 1;
      }
    },
    close: () => outbound.close(),
  };

  /**
   * Sends neither temperature nor a token limit: their names and ranges differ, and some endpoints
   * refuse unknown fields.
   */
  async function ask(task: string, material: string): Promise<string> {
    const messages = [
      { role: 'system', content: task },
      { role: 'user', content: material },
    ];
    const answer = await outbound.post({
      url: `${baseUrl}/chat/completions`,
      headers,
      body: JSON.stringify({ model, messages, stream: false }),
      timeoutMs: deadlineMs,
      keepBytes: MAX_ANSWER_BYTES,
    });
    return textOf(answer);
  }

  /** Logs without the texts sent or received: they are about a person, or untrusted. */
  function given(failure: string, more: object = {}): null {
    log.warn({ failure, ...more }, 'the AI gave no text');
    return null;
  }
}

/**
 * The operator configures this one address, possibly on the same machine. No caller can choose it.
 */
const EVERY_ADDRESS = parseNetworks('0.0.0.0/0, ::/0');
const DEADLINE_MS = 3000;
const MAX_AT_ONCE = 8;
/** Requests beyond the connections wait for one, within their deadline. */
const MAX_UNDER_WAY = 32;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_FAILURES = 5;
const PAUSE_MS = 30_000;

/** Not the message of an error: a parser quotes the text that it could not read. */
function kindOf(error: unknown): string {
  if (error instanceof AiFailure) return error.kind;
  return error instanceof OutboundError ? error.reason : 'unexpected';
}
