import type { Envelope } from '@reliability/client';
import {
  hmacHeaders,
  type MessageSigner,
  signDelivery,
} from '../../../service/src/features/notify/webhooks/signDelivery.js';
import { reasonOf } from '../errorText.js';

/** One post to the receiver. */
export interface Attempt {
  /** Null: no answer. */
  readonly status: number | null;
  readonly error?: string;
  readonly ms: number;
  /** From the creation of the envelope to the answer. The clocks of two machines may differ. */
  readonly delayMs: number;
}

interface ForwardOptions {
  target: URL;
  secret: string;
  agent: MessageSigner | undefined;
  signal: AbortSignal;
}

/** As long as a webhook waits. */
const TIMEOUT_MS = 10_000;

/** Posts an envelope as a webhook does: same body, same signatures, redirects not followed. */
export async function forward(
  envelope: Envelope,
  { target, secret, agent, signal }: ForwardOptions,
): Promise<Attempt> {
  const body = JSON.stringify(envelope);
  const at = new Date();
  const delivery = { url: target.href, body, envelopeId: envelope.id, at, secrets: [secret] as const };
  const startedMs = performance.now();
  const finished = (result: Pick<Attempt, 'status' | 'error'>): Attempt => ({
    ...result,
    ms: performance.now() - startedMs,
    delayMs: Date.now() - Date.parse(envelope.createdAt),
  });
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: agent ? signDelivery({ ...delivery, agent }) : hmacHeaders(delivery),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.arrayBuffer();
    return finished({ status: response.status });
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const reason = isLate ? `no answer within ${TIMEOUT_MS / 1000} s` : `no answer${reasonOf(error)}`;
    return finished({ status: null, error: reason });
  }
}
