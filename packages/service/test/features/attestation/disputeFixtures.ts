import type { TestAnswer, TestService } from '#harness/service.js';
import { outcome, report } from '../intake/eventFixtures.js';

/** A dispute in a response. */
export interface DisputeResponse {
  id: string;
  eventId: string;
  userId: string;
  status: string;
  outcome: string | null;
  lapsed: boolean;
  openedAt: string;
  respondBy: string;
  resolvedAt: string | null;
  outcomeEventId: string | null;
}

/** Records an event and returns its id. */
export async function eventOf(
  service: TestService,
  event: Record<string, unknown>,
  key?: string,
): Promise<string> {
  return (await report(service, outcome(event), { key })).body.eventId;
}

/** Records a breach and disputes it. */
export async function filedDispute(
  service: TestService,
  event: Record<string, unknown> = {},
  key?: string,
): Promise<DisputeResponse> {
  const eventId = await eventOf(service, { eventType: 'CONTRACT_BREACHED', ...event }, key);
  return (await service.request('POST', '/disputes', { key, body: { eventId } })).body;
}

export function resolve(
  service: TestService,
  id: string,
  key?: string,
  method = 'PATCH',
): Promise<TestAnswer> {
  return service.request(method, `/disputes/${id}/resolve`, { key });
}

/** All disputes of a listing, page by page. */
export async function disputesOf(service: TestService, query = '', key?: string): Promise<DisputeResponse[]> {
  const disputes: DisputeResponse[] = [];
  for (let cursor = ''; ; ) {
    const answer = await service.request('GET', `/disputes?${query}${cursor}`, { key });
    if (answer.status !== 200) throw new Error(`the listing answered ${answer.status}: ${answer.text}`);
    disputes.push(...answer.body.disputes);
    if (answer.body.nextCursor === null) return disputes;
    cursor = `&cursor=${answer.body.nextCursor}`;
  }
}
