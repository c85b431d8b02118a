import { DAY_MS } from '../../../domain/timestamp.js';
import type { Clock } from '../../../kit/clock.js';
import { OutboundError, type OutboundFetch } from '../../../kit/outboundFetch.js';
import type { KeyRing } from '../../../ledger/signingKeys.js';
import type { SigningSecrets } from './hmacSignature.js';
import { messageSigner, signDelivery } from './signDelivery.js';

export interface AttemptDeps {
  clock: Clock;
  outbound: OutboundFetch;
  messageKeys: KeyRing;
  config: { readonly baseUrl: string };
}

export interface AttemptTarget {
  readonly url: string;
  readonly secrets: SigningSecrets;
}

/** What came of one attempt to deliver. */
export interface AttemptOutcome {
  readonly status: 'succeeded' | 'failed';
  /** Null: no answer came. */
  readonly responseStatus: number | null;
  /** First KiB of the answer's body; null: no answer came. */
  readonly responseBody: string | null;
  /** For people: why there was no answer, or why it was none to accept where its status does not say so by itself. */
  readonly error: string | null;
  readonly latencyMs: number;
  readonly at: Date;
  /** The receiver said that there will never be anything at this address again (410). */
  readonly isGone: boolean;
  /** The receiver asked not to be called before; null: it did not. */
  readonly notBefore: Date | null;
}

const TIMEOUT_MS = 10_000;
const KEPT_BYTES = 1024;
/** A receiver may ask for so much patience (RULES H4). */
const MAX_RETRY_AFTER_MS = DAY_MS;

/**
 * Sends an envelope once, signed for this attempt. Anything but an answer with a status of 200 to 299 within ten seconds is a
 * failure, which is an outcome and no error. Rejects only when nothing can be signed, since the database is away.
 */
export async function attemptDelivery(
  { clock, outbound, messageKeys, config }: AttemptDeps,
  { url, secrets }: AttemptTarget,
  { envelopeId, body }: { readonly envelopeId: string; readonly body: string },
  signal?: AbortSignal,
): Promise<AttemptOutcome> {
  const agent = messageSigner(config.baseUrl, await messageKeys.current());
  const at = clock.now();
  const headers = signDelivery({ url, body, envelopeId, at, secrets, agent });
  const startedMs = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedMs);
  try {
    const answer = await outbound.post({
      url,
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      keepBytes: KEPT_BYTES,
      signal,
    });
    const isSuccess = answer.status >= 200 && answer.status < 300;
    return {
      status: isSuccess ? 'succeeded' : 'failed',
      responseStatus: answer.status,
      responseBody: answer.text,
      error: isSuccess ? null : remarkOn(answer.status),
      latencyMs: latencyMs(),
      at,
      isGone: answer.status === 410,
      notBefore: isSuccess ? null : readRetryAfter(answer.headers['retry-after'], clock.now()),
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return {
      status: 'failed',
      responseStatus: null,
      responseBody: null,
      error: error.message,
      latencyMs: latencyMs(),
      at,
      isGone: false,
      notBefore: null,
    };
  }
}

function remarkOn(status: number): string | null {
  if (status >= 300 && status < 400) return 'The receiver answered with a redirect, and none is followed.';
  if (status === 410) return 'The receiver is gone for good, it says.';
  return null;
}

/** Seconds or an HTTP date; what is neither counts as not said. */
export function readRetryAfter(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null;
  const trimmed = text.trim();
  const ms = /^\d{1,9}$/.test(trimmed) ? now.getTime() + Number(trimmed) * 1000 : httpDate(trimmed);
  if (ms === null || ms <= now.getTime()) return null;
  return new Date(Math.min(ms, now.getTime() + MAX_RETRY_AFTER_MS));
}

/** Date.parse takes much that is no HTTP date ("5x" is a year), so the form is looked at first. */
function httpDate(text: string): number | null {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
