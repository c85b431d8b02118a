import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Engine } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { everyPage } from '#harness/everyPage.js';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import {
  type RequestOptions,
  startTestService,
  type TestAnswer,
  type TestService,
} from '#harness/service.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { movableClock } from '../tenancy/keyFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';

/** A name that never resolves (RFC 2606), so nothing can be sent to it. */
export const NOWHERE = 'https://hooks.example/reliability';

/** Receivers of tests listen on loopback. */
export const LOOPBACK_ALLOWED = { WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8' };

export interface DeliveryResponse {
  id: string;
  webhookId: string;
  envelopeId: string;
  type: string;
  userId: string | null;
  status: string;
  attempt: number;
  responseStatus: number | null;
  error: string | null;
  createdAt: string;
  nextAttemptAt: string | null;
}

/** POST /webhooks. */
export function addWebhook(
  service: TestService,
  body: object = {},
  options: RequestOptions = {},
): Promise<TestAnswer> {
  const whole = { url: NOWHERE, events: ['score.updated'], ...body };
  return service.request('POST', '/webhooks', { ...options, body: whole });
}

/** The whole log of an endpoint, page by page, newest first. */
export function logOf(
  service: TestService,
  webhookId: string,
  options: { key?: string; query?: string; limit?: number } = {},
): Promise<DeliveryResponse[]> {
  return everyPage(service, `/webhooks/${webhookId}/deliveries`, 'deliveries', options);
}

/** Waits until the log of the endpoint has `count` entries. */
export async function logged(
  service: TestService,
  webhookId: string,
  count: number,
  key: string,
): Promise<DeliveryResponse[]> {
  let log: DeliveryResponse[] = [];
  await eventually(async () => {
    log = await logOf(service, webhookId, { key });
    return log.length >= count;
  });
  return log;
}

/** Waits until the queue of the endpoint is empty. */
export async function delivered(service: TestService, webhookId: string): Promise<void> {
  const queued = 'select 1 from outbox_queue where target_id = $1';
  await eventually(async () => (await service.db.query(queued, [webhookId])).length === 0);
}

/** Since when every attempt has failed. */
export async function failingSince(
  service: TestService,
  webhookId: string,
): Promise<Date | null | undefined> {
  const query = 'select failing_since from webhook where webhook_id = $1';
  const [row] = await service.db.query<{ failingSince: Date | null }>(query, [webhookId]);
  return row?.failingSince;
}

/**
 * A service with a receiver and a movable clock for a suite. Each test has its own platform, and the
 * receiver records only what comes to its path. Members are read when they are used.
 */
export function webhookBench(engine: Engine, env: Record<string, string> = {}, more: object = {}) {
  const clock = movableClock();
  const bench = {} as { service: TestService; receiver: Receiver; own: OwnPlatform };

  beforeAll(async () => {
    bench.receiver = await startReceiver();
    bench.service = await startTestService(engine, { env: { ...LOOPBACK_ALLOWED, ...env }, clock, ...more });
  });
  afterAll(async () => {
    await bench.service.close();
    await bench.receiver.close();
  });
  beforeEach(async () => {
    bench.own = await addedPlatform(bench.service);
    bench.receiver.startOver(`/${bench.own.id}`);
  });

  return Object.assign(bench, {
    clock,
    /** Calls `/webhooks/<path>`. */
    ask: (method: string, path: string, body?: object, key = bench.own.live.key) =>
      bench.service.request(method, `/webhooks/${path}`, { key, body }),
    /** Adds an endpoint at the receiver and returns its id. */
    async add(body: object = {}, key = bench.own.live.key): Promise<string> {
      const whole = { url: `${bench.receiver.url}/${bench.own.id}`, ...body };
      return (await addWebhook(bench.service, whole, { key })).body.id;
    },
    /** Reports an outcome of a new subject and waits until its envelope is written. */
    async happen(userId: string, key = bench.own.live.key): Promise<void> {
      await report(bench.service, outcome({ userId, isVerified: true }), { key });
      await bench.service.settle();
    },
    delivered: (id: string) => delivered(bench.service, id),
    log: (id: string, key = bench.own.live.key) => logOf(bench.service, id, { key }),
  });
}
