import { eventually } from '#harness/eventually.js';
import { everyPage } from '#harness/everyPage.js';
import type { RequestOptions, TestAnswer, TestService } from '#harness/service.js';

/** A name that never resolves (RFC 2606), so nothing can be sent to it. */
export const NOWHERE = 'https://hooks.example/reliability';
export const UNKNOWN_ID = '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34';

/** Receivers of tests listen on loopback. */
export const LOOPBACK_ALLOWED = { WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8' };

export interface DeliveryResponse {
  id: string;
  webhookId: string;
  envelopeId: string;
  type: string;
  status: string;
  attempt: number;
  responseStatus: number | null;
  error: string | null;
  createdAt: string;
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

/** The whole log of an endpoint, page by page. */
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
