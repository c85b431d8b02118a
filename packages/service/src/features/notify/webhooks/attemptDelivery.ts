import { DAY_MS } from '#domain/timestamp.js';
import { OutboundError } from '#kit/outboundFetch.js';
import type { KeyRing } from '#ledger/signingKeys.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { messageSigner, type SigningSecrets, signDelivery } from './signDelivery.js';

export type AttemptDeps = Pick<ServiceDeps, 'clock' | 'outbound'> & {
  messageKeys: KeyRing;
  config: Pick<ServiceDeps['config'], 'baseUrl'>;
};

export interface AttemptTarget {
  readonly url: string;
  readonly secrets: SigningSecrets;
}

/** The request of an attempt, without its body. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The result of one attempt to deliver. */
export interface AttemptOutcome {
  readonly sent: SentRequest;
  readonly status: 'succeeded' | 'failed';
  /** Null: there was no answer. */
  readonly responseStatus: number | null;
  /** First KiB of the answer's body; null: there was no answer. */
  readonly responseBody: string | null;
  /**
   * For people: why there was no answer, or why it was not accepted if its status does not say so.
   */
  readonly error: string | null;
  readonly latencyMs: number;
  readonly at: Date;
  /** The receiver answered 410 Gone. */
  readonly isGone: boolean;
  /** From `Retry-After`; null: the receiver sent none. */
  readonly notBefore: Date | null;
}

const TIMEOUT_MS = 10_000;
const KEEP_BYTES = 1024;
/** RULES H4. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/**
 * Sends an envelope once, signed for this attempt. Anything but a status of 200 to 299 within ten
 * seconds is a failed outcome, not an error. Rejects only if no signing key can be read because the
 * database is away.
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
  const sent = { url, headers };
  const startedMs = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedMs);
  try {
    const answer = await outbound.post({
      url,
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      keepBytes: KEEP_BYTES,
      signal,
    });
    const isSuccess = answer.status >= 200 && answer.status < 300;
    return {
      sent,
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
      sent,
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
  if (status >= 300 && status < 400)
    return 'The receiver answered with a redirect. Redirects are not followed.';
  if (status === 410) return 'The receiver answered 410 Gone.';
  return null;
}

/** Reads seconds or an HTTP date; anything else is ignored. */
export function readRetryAfter(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null;
  const trimmed = text.trim();
  const ms = /^\d{1,9}$/.test(trimmed) ? now.getTime() + Number(trimmed) * 1000 : httpDate(trimmed);
  if (ms === null || ms <= now.getTime()) return null;
  return new Date(Math.min(ms, now.getTime() + MAX_RETRY_AFTER_MS));
}

/** Date.parse accepts more than HTTP dates ("5x" is a year), so the form is checked first. */
function httpDate(text: string): number | null {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
