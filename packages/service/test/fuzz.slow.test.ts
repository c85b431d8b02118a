import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCatalog } from '#domain/errorCatalog.js';
import type { OpenApiDocument } from '#kit/http/openapiSchemas.js';
import { anyRequest } from './fuzz/requests.js';
import { send, type WireAnswer, type WireRequest } from './fuzz/send.js';
import { checkAnswer } from './harness/openapiCheck.js';
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
});

function assertWithinContract(document: OpenApiDocument, request: WireRequest, answer: WireAnswer): void {
  // A new fact is logged within seconds, and a read of its proof may come before.
  if (!answer.text.includes('"NOT_LOGGED_YET"')) expect(answer.status, answer.text).toBeLessThan(500);
  expect(answer.requestId, 'X-Request-Id').toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
  const isWithoutId = request.path.split('?', 1)[0]?.endsWith('/') === true;
  if ((answer.status >= 400 || isWithoutId) && isPageOf(document, request, answer)) return;
  const body =
    answer.contentType.includes('json') && answer.text !== '' ? JSON.parse(answer.text) : answer.text;
  if (answer.status >= 400 && isRefusedMessage(body)) return;
  const isOfWallets = request.method === 'POST' && request.path.startsWith('/oid4vci/');
  // Routes for wallets have error codes of their standard.
  if (answer.status >= 400 && isOfWallets) expect(body).toMatchObject({ error: expect.stringMatching(/\S/) });
  else if (answer.status >= 400 && request.method !== 'HEAD') assertIsError(body, answer);
  checkAnswer(document, request.method, request.path, answer.status, body, answer.contentType);
}

/** The protocol of agents has errors of its own, once a message is one of JSON. */
function isRefusedMessage(body: unknown): boolean {
  const { jsonrpc, error } = Object(body);
  return jsonrpc === '2.0' && typeof error?.code === 'number' && typeof error.message === 'string';
}

/** Page routes answer errors as pages, also for an empty id, which the console's has for `/console/`. */
function isPageOf(document: OpenApiDocument, { method, path }: WireRequest, answer: WireAnswer): boolean {
  if (!answer.contentType.startsWith('text/html')) return false;
  const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    path.startsWith(template.split('{')[0] ?? template)
      ? [methods[method === 'HEAD' ? 'get' : method.toLowerCase()]]
      : [],
  );
  return operations.some((operation) => operation?.responses[answer.status]?.content?.['text/html']);
}

function assertIsError(body: unknown, { status, requestId }: WireAnswer): void {
  const { error, code, retryable, requestId: named } = body as Record<string, unknown>;
  expect(error).toEqual(expect.stringMatching(/\S/));
  const entry = Object.entries(errorCatalog).find(([name]) => name === code)?.[1];
  expect(entry, `the code ${code}`).toMatchObject({ status, retryable });
  expect(named).toBe(requestId);
}
