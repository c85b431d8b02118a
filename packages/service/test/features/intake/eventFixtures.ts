import { everyPage } from '#harness/everyPage.js';
import type { RequestOptions, TestService } from '#harness/service.js';

/** An event in responses. */
export interface EventResponse {
  id: string;
  userId: string;
  eventType: string;
  isVerified: boolean;
  createdAt: string;
  metadata: Record<string, unknown> | null;
}

/** The required fields of an event, and those that a test adds. */
export function outcome(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { userId: 'worker-1', eventType: 'TRANSACTION_COMPLETED', ...more };
}

/** POST /events. */
export function report(service: TestService, body: unknown, options: Omit<RequestOptions, 'body'> = {}) {
  return service.request('POST', '/events', { ...options, body });
}

/** POST /events/batch. */
export function reportBatch(
  service: TestService,
  events: unknown,
  options: Omit<RequestOptions, 'body'> = {},
) {
  return service.request('POST', '/events/batch', { ...options, body: { events } });
}

/** A header with the idempotency key. */
export function once(key: string): { headers: Record<string, string> } {
  return { headers: { 'Idempotency-Key': key } };
}

/** Every event of the key's platform and mode, read page by page. */
export function exportAll(
  service: TestService,
  options: { key?: string; query?: string; limit?: number } = {},
): Promise<EventResponse[]> {
  return everyPage(service, '/events/export', 'events', { limit: 1000, ...options });
}

/** Creates a second platform. */
export async function anotherPlatform(service: TestService): Promise<{ liveKey: string; testKey: string }> {
  const body = { name: 'Another platform', plan: 'enterprise' };
  const { keys } = (await service.request('POST', '/admin/platforms', { admin: true, body })).body;
  return { liveKey: keys.live.key, testKey: keys.test.key };
}

/** Creates a key with these scopes for the service's platform. */
export async function scopedKey(service: TestService, scopes: string[], isTest = false): Promise<string> {
  const path = `/admin/platforms/${service.platformId}/keys`;
  return (await service.request('POST', path, { admin: true, body: { scopes, isTest } })).body.key;
}
