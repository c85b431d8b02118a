import { everyPage } from '#harness/everyPage.js';
import type { TestAnswer, TestService } from '#harness/service.js';
import { outcome, report } from '../intake/eventFixtures.js';

/** A dispute in a response. */
export interface DisputeResponse {
  id: string;
  eventId: string;
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
export function disputesOf(service: TestService, query = '', key?: string): Promise<DisputeResponse[]> {
  return everyPage(service, '/disputes', 'disputes', { key, query: query && `&${query}` });
}
