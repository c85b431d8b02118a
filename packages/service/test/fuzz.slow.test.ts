import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCatalog } from '#domain/errorCatalog.js';
import type { OpenApiDocument } from '#kit/http/openapiSchemas.js';
import { anyRequest } from './fuzz/requests.js';
import { send, type WireAnswer, type WireRequest } from './fuzz/send.js';
import { checkAnswer, operationsIn } from './harness/openapiCheck.js';
import { startTestService, type TestService } from './harness/service.js';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 2000);
/** Printed to repeat a failed run: FUZZ_SEED=... */
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

describe('random requests', () => {
  let service: TestService;
  let document: OpenApiDocument;

  beforeAll(async () => {
    service = await startTestService('pglite', { env: { LOG_LEVEL: 'silent' } });
    document = (await service.request('GET', '/openapi.json', { key: null })).body;
  });
  afterAll(() => service.close());

  test('get answers within the contract, and the service keeps running', async () => {
    console.log(`fuzz: ${REQUESTS} requests, FUZZ_SEED=${seed}`);
    const credentials = { live: service.liveKey, test: service.testKey, admin: service.adminSecret };
    await fc.assert(
      fc.asyncProperty(anyRequest(document, credentials), async (request) => {
        assertWithinContract(document, request, await send(service.url, request));
      }),
      { seed, numRuns: REQUESTS, endOnFailure: false },
    );
    expect((await service.request('GET', '/health', { key: null })).status).toBe(200);
    const event = { userId: 'after-the-fuzz', eventType: 'TRANSACTION_COMPLETED', isVerified: true };
    expect((await service.request('POST', '/events', { body: event })).status).toBe(201);
    await service.settle();
    expect((await service.request('GET', '/users/after-the-fuzz/score')).status).toBe(200);
  });

  test('no depth of nesting in any body field breaks the service', async () => {
    for (const { method, path, example } of bodiesOf(document)) {
      for (const field of Object.keys(example)) {
        const caller: Record<string, string> = path.includes('/admin/')
          ? { 'X-Admin-Secret': service.adminSecret }
          : { Authorization: `Bearer ${service.testKey}` };
        const request: WireRequest = {
          method,
          path: path.replace(/\{\w+\}/g, 'worker-4711'),
          headers: { 'Content-Type': 'application/json', ...caller },
          body: Buffer.from(JSON.stringify({ ...example, [field]: 'DEEP' }).replace('"DEEP"', DEEP)),
        };
        assertWithinContract(document, request, await send(service.url, request));
      }
    }
  });
});

/** Deeper than any call stack; the escape makes the body parser read every text. */
const DEEP = `${'{"a":['.repeat(20_000)}"\\u0041"${']}'.repeat(20_000)}`;

function bodiesOf(document: OpenApiDocument): { method: string; path: string; example: object }[] {
  return operationsIn(document).flatMap(({ method, path, operation }) => {
    const example = operation.requestBody?.content['application/json']?.example;
    return example ? [{ method, path, example: { ...example, metadata: {} } }] : [];
  });
}

function assertWithinContract(document: OpenApiDocument, request: WireRequest, answer: WireAnswer): void {
  // A new fact is logged within seconds, and a read of its proof may come before.
  if (!answer.text.includes('"NOT_LOGGED_YET"')) expect(answer.status, answer.text).toBeLessThan(500);
  expect(answer.requestId, 'X-Request-Id').toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
  const isWithoutId = request.path.split('?', 1)[0]?.endsWith('/') === true;
  if ((answer.status >= 400 || isWithoutId) && isPageOf(document, request, answer)) return;
  const body =
    answer.contentType.includes('json') && answer.text !== '' ? JSON.parse(answer.text) : answer.text;
  const isOfWallets = request.method === 'POST' && request.path.startsWith('/oid4vci/');
  // OpenID4VCI routes have their own documented error codes.
  if (answer.status >= 400 && isOfWallets) expect(body).toMatchObject({ error: expect.stringMatching(/\S/) });
  else if (answer.status >= 400 && request.method !== 'HEAD') assertIsError(body, answer);
  checkAnswer(document, request.method, request.path, answer.status, body, answer.contentType);
}

/** Page routes answer errors as pages, also for an empty id, which the console's has for `/console/`. */
function isPageOf(document: OpenApiDocument, { method, path }: WireRequest, answer: WireAnswer): boolean {
  if (!answer.contentType.startsWith('text/html')) return false;
  const read = method === 'HEAD' ? 'GET' : method;
  return operationsIn(document)
    .filter((placed) => placed.method === read && path.startsWith(placed.path.split('{')[0] ?? ''))
    .some(({ operation }) => operation.responses[answer.status]?.content?.['text/html']);
}

function assertIsError(body: unknown, { status, requestId }: WireAnswer): void {
  const { error, code, retryable, requestId: named } = body as Record<string, unknown>;
  expect(error).toEqual(expect.stringMatching(/\S/));
  const entry = Object.entries(errorCatalog).find(([name]) => name === code)?.[1];
  expect(entry, `the code ${code}`).toMatchObject({ status, retryable });
  expect(named).toBe(requestId);
}
