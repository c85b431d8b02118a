import type { RequestOptions, TestService } from '#harness/service.js';

type Options = Omit<RequestOptions, 'body'>;

/** Records a fulfilled contract of the subject in `who`, with the rules that a test adds. */
export function mappingOf(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { userId: { path: 'who' }, eventType: { constant: 'CONTRACT_FULFILLED' }, ...more };
}

/** POST /ingest with the mapping in the body. */
export function ingest(service: TestService, records: unknown, mapping: unknown, options: Options = {}) {
  return service.request('POST', '/ingest', { ...options, body: { records, mapping } });
}

/** POST /ingest/mappings. */
export function save(
  service: TestService,
  name: unknown,
  mapping: unknown = mappingOf(),
  options: Options = {},
) {
  return service.request('POST', '/ingest/mappings', { ...options, body: { name, mapping } });
}
