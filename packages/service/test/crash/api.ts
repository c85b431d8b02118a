import { z } from 'zod';

/** The fields of the service's answers that the crash test reads. */
export const Recorded = z.object({ eventId: z.string() });
export const BatchRecorded = z.object({
  results: z.array(z.object({ status: z.enum(['created', 'skipped']), eventId: z.string() })),
});
export const Refused = z.object({ code: z.string(), retryable: z.boolean() });
export const ExportPage = z.object({
  events: z.array(
    z.object({
      id: z.string(),
      userId: z.string(),
      isVerified: z.boolean(),
      metadata: z.object({ n: z.number() }),
    }),
  ),
  nextCursor: z.string().nullable(),
});
export const Score = z.object({ totalEvents: z.number(), verifiedEvents: z.number() });

export const HistoryPage = z.object({
  history: z.array(
    z.object({ finalScore: z.number(), previousScore: z.number().nullable(), computedAt: z.string() }),
  ),
  nextCursor: z.string().nullable(),
});
export const Subscribed = z.object({ secret: z.string() });
export const ScoreUpdated = z.object({
  id: z.string(),
  data: z.object({ user: z.object({ externalId: z.string() }), score: z.number(), computedAt: z.string() }),
});

export const LIVE_KEY = `crd_live_${'c'.repeat(43)}`;
export const TEST_KEY = `crd_test_${'c'.repeat(43)}`;

/** Settings of a service whose webhooks go to `startReceiver`. */
export const UNDER_LOAD = {
  // The load exceeds the velocity limit of a subject; frozen scores would stop counting.
  VELOCITY_MAX_PER_HOUR: '1000000000',
  WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8',
  // The endpoint refuses some: they are retried soon, and often enough to be accepted.
  WEBHOOK_RETRY_SCHEDULE: ['0', ...Array(30).fill('0.5')].join(),
};

export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * One attempt, below /api/v1, or below the root for a path that starts with `!`. Rejects when the
 * connection breaks, the answer is truncated, or `timeoutMs` passes.
 */
export async function call(
  url: string,
  method: string,
  path: string,
  options: { headers?: Readonly<Record<string, string>>; body?: string; timeoutMs?: number } = {},
): Promise<RawAnswer> {
  const { headers, body, timeoutMs = 15_000 } = options;
  const answer = await fetch(url + (path.startsWith('!') ? path.slice(1) : `/api/v1${path}`), {
    method,
    body,
    headers: {
      Authorization: `Bearer ${LIVE_KEY}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** A new platform with this limit. Returns its live key. */
export async function platformWithLimit(url: string, adminSecret: string, rateLimitPerMinute: number) {
  const asOperator = async (method: string, path: string, body: object) => {
    const headers = { 'X-Admin-Secret': adminSecret };
    return JSON.parse(
      (await call(url, method, `/admin${path}`, { headers, body: JSON.stringify(body) })).text,
    );
  };
  const small = { name: 'Small', trustTier: 'STARTER', plan: 'starter' };
  const { platform, keys } = await asOperator('POST', '/platforms', small);
  await asOperator('PATCH', `/platforms/${platform.id}`, { rateLimitPerMinute });
  return keys.live.key as string;
}
