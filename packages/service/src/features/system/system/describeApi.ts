import { inTurns } from '#kit/backpressure/yielder.js';
import { type OpenApiText, openApiSteps } from '#kit/http/openapi.js';
import type { OpenApiDocument } from '#kit/http/openapiSchemas.js';
import { readExamples, readFieldTexts } from '#kit/http/openapiTexts.js';
import type { RouteTable } from '#kit/http/route.js';
import idSources from '../../../../data/idSources.json' with { type: 'json' };
import tags from '../../../../data/tags.json' with { type: 'json' };
import { deliveryTexts } from './describeDeliveries.js';

/**
 * The OpenAPI document. Built on first request, because the table it describes contains its own
 * route, with other requests in between.
 */
export function describeApi(table: () => RouteTable, baseUrl: string): () => Promise<OpenApiDocument> {
  let document: Promise<OpenApiDocument> | undefined;
  return () => {
    document ??= inTurns(openApiSteps(table(), apiText(baseUrl)));
    return document;
  };
}

/** What the OpenAPI document says besides the route table. */
export function apiText(baseUrl: string): OpenApiText {
  return {
    baseUrl,
    version: API_VERSION,
    title: 'Reliability score service',
    description: introduction,
    tags,
    fields: readFieldTexts(),
    examples: readExamples(),
    idSources,
    deliveries: deliveryTexts,
  };
}

/** The major version is the one in the path. Additions raise the minor version. */
export const API_VERSION = '1.0.0';

const introduction = `Report outcome events and read an explainable reliability score from 0 to 100. The score is a pure function of an append-only ledger: the same events always give the same score, and nobody can adjust it.

**Authentication.** Platforms send \`Authorization: Bearer <key>\`. A key that starts with \`crd_live_\` works on live data. A key that starts with \`crd_test_\` works on separate test data; requests are the same in both modes. Operators send \`X-Admin-Secret\`. The scopes of a key limit what it can do; a key without scopes can do everything its platform can.

**Subjects** are named by your own ids. The first event for an id creates the subject. You see only subjects that you have reported on. Percent-encode an id in a path.

**Retries.** Send an \`Idempotency-Key\` with every request that creates something. A repeated request with the same key is not executed again: it gets the first response, with \`Idempotent-Replay: true\`. Retry an error only if its \`retryable\` is true, after the number of seconds in \`Retry-After\`.

**Limits.** Every response has \`RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` for the current minute. All live keys of a platform share one limit, and all its test keys share another. If the platform has a monthly quota, \`X-Quota-Limit\`, \`-Remaining\` and \`-Reset\` report it for the UTC calendar month. Test calls, responses with 429 and failures of the service do not count against the quota; a CSV export counts one call per 1000 rows or part of them. \`GET /plans\` lists the numbers.

**Lists** are paginated. To get the next page, send \`nextCursor\` as \`cursor\`; \`null\` marks the last page. Cursors are opaque.

**Times** are UTC, in RFC 3339 with milliseconds: \`2026-03-01T09:30:00.000Z\`.

**Examples** work unchanged if you send them in the order of this document with one key. The first ones record outcomes of \`worker-4711\`; most others use that subject. Replace ids and tokens that the service generates with those from your earlier responses: the \`links\` of an operation name the operations that use its ids.

**Changes.** Within v1 the API only grows: fields, operations, values and codes may be added at any time, so ignore those you do not know. \`GET /changelog\` announces changes.`;
