import type { FastifyBaseLogger } from 'fastify';
import { parseNetworks } from './addressGuard.js';
import { AiFailure, textOf } from './aiAnswer.js';
import { createCircuit } from './aiCircuit.js';
import type { Clock } from './clock.js';
import { createOutboundFetch, OutboundError } from './outboundFetch.js';

/** Where the operator's AI is: any endpoint that speaks OpenAI's chat completions. */
export interface AiAddress {
  /** Without a slash at its end; `/chat/completions` is asked. */
  baseUrl: string;
  /** Sent as a bearer token; many a local server wants none. */
  apiKey: string | undefined;
  model: string;
}

/** A machine that writes texts, whose word counts for nothing: it can fail at any time, and what it says is not believed. */
export interface TextModel {
  /** As configured, not as the answer claims. */
  readonly name: string;
  /**
   * At most 2000 characters of plain text, or null: within 3 s in any case. Never rejects.
   * @param task what to do, in our words. @param material what to do it with. @param isFine whether the text can be shown.
   */
  write(order: { task: string; material: string; isFine(text: string): boolean }): Promise<string | null>;
  /** Waits for what is under way (as long as its deadline), closes every connection. */
  close(): Promise<void>;
}

interface AiDeps extends AiAddress {
  clock: Clock;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

export function createTextModel({ baseUrl, apiKey, model, clock, log }: AiDeps): TextModel {
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

  /** Neither temperature nor a limit of tokens is sent: names and ranges differ, and some endpoints refuse what they do not know. */
  async function ask(task: string, material: string): Promise<string> {
    const messages = [
      { role: 'system', content: task },
      { role: 'user', content: material },
    ];
    const answer = await outbound.post({
      url: `${baseUrl}/chat/completions`,
      headers,
      body: JSON.stringify({ model, messages, stream: false }),
      timeoutMs: DEADLINE_MS,
      keepBytes: MAX_ANSWER_BYTES,
    });
    return textOf(answer);
  }

  /** One log entry per failure, without the texts sent or received: they are about a person, or untrusted. */
  function given(failure: string, more: object = {}): null {
    log.warn({ failure, ...more }, 'the AI gave no text');
    return null;
  }
}

/** The operator names this one address in the configuration, and it may well be on their own machine; no caller can choose it. */
const EVERY_ADDRESS = parseNetworks('0.0.0.0/0, ::/0');
/** For everything together: waiting for a connection, look-up, answer (RULES S3). */
const DEADLINE_MS = 3000;
const MAX_AT_ONCE = 8;
/** Those past the connections wait for one, within their deadline. */
const MAX_UNDER_WAY = 32;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_FAILURES = 5;
const PAUSE_MS = 30_000;

/** Never the message of an error: that of a parser quotes what it could not read. */
function kindOf(error: unknown): string {
  if (error instanceof AiFailure) return error.kind;
  return error instanceof OutboundError ? error.reason : 'unexpected';
}
