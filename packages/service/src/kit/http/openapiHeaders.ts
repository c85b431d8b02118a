import { UNKNOWN_PARAMETERS } from './mount.js';
import type { HeaderObject, ResponseObject } from './openapiSchemas.js';
import type { Route } from './route.js';

/** All headers of answers. */
export const headerTexts: Readonly<Record<string, HeaderObject>> = {
  'X-Request-Id': text('The id of this request: the one that you sent, if it is valid, else a new one.'),
  'Retry-After': number('Seconds to wait before you retry the request.'),
  [UNKNOWN_PARAMETERS]: text('Unknown query parameters of the request, percent-encoded. They were ignored.'),
  'Idempotent-Replay': {
    description: '`true` if this is the stored answer of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: text('Identifies this version of the document.'),
  Deprecation: text('When the operation became deprecated: `@` and Unix seconds.'),
  Sunset: text('When the operation ends, as an HTTP date.'),
  Link: text('The page that explains the deprecation.'),
  'RateLimit-Limit': number('Requests allowed per minute. Absent if there is no limit.'),
  'RateLimit-Remaining': number('Requests left in the current minute.'),
  'RateLimit-Reset': number('Seconds until the next minute starts.'),
  'RateLimit-Policy': text('The limit and its window in seconds: `600;w=60`.'),
  'X-Quota-Limit': number(
    'Calls allowed per UTC calendar month with live keys. Absent if there is no quota.',
  ),
  'X-Quota-Remaining': number('Calls left in this month.'),
  'X-Quota-Reset': number('Seconds until the next month starts.'),
};

/** The headers of a success answer. */
export function successHeaders(route: Route): ResponseObject['headers'] {
  return headerReferences([
    'X-Request-Id',
    UNKNOWN_PARAMETERS,
    ...(route.unmetered ? [] : namesOf('RateLimit-')),
    ...(route.access.kind === 'key' ? namesOf('X-Quota-') : []),
    ...(route.idempotent ? ['Idempotent-Replay'] : []),
    ...(route.answers[304] !== undefined ? ['ETag'] : []),
    ...(route.deprecated ? ['Deprecation', 'Sunset', 'Link'] : []),
  ]);
}

export function headerReferences(names: readonly string[]): ResponseObject['headers'] {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function namesOf(prefix: string): string[] {
  return Object.keys(headerTexts).filter((name) => name.startsWith(prefix));
}

function text(description: string): HeaderObject {
  return { description, schema: { type: 'string' } };
}

function number(description: string): HeaderObject {
  return { description, schema: { type: 'integer' } };
}
