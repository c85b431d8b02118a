import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { routeTable } from '#harness/routeTable.js';
import { networkOf } from '#kit/addressGuard.js';
import { atOnce } from '#kit/backpressure/yielder.js';
import { systemClock } from '#kit/clock.js';
import type { Database } from '#kit/db/database.js';
import type { Authenticator } from '#kit/http/admission.js';
import { ok } from '#kit/http/answer.js';
import { mountRoutes } from '#kit/http/mount.js';
import { openApiSteps } from '#kit/http/openapi.js';
import { anyKey, everyone, type KeyCaller, type RouteTable, route } from '#kit/http/route.js';
import { createServer } from '#kit/http/server.js';
import { createAuthenticator } from '../../../src/features/tenancy/platforms/authenticator.js';
import { Answered } from './answered.js';

const line = {
  tag: 'T',
  summary: 'S',
  description: 'D',
  answers: { 200: Answered },
  handle: () => ok({ answered: true }),
};
const table: RouteTable = {
  'GET /campaigns-of-the-test': route({
    ...line,
    operationId: 'operation1',
    access: anyKey,
    plan: 'campaigns',
  }),
  'GET /agents-of-the-test': route({ ...line, operationId: 'operation2', access: anyKey, plan: 'agents' }),
  'GET /open': route({ ...line, operationId: 'operation3', access: everyone, unmetered: true }),
};

const text = { baseUrl: 'https://scores.test', version: '1', title: 'T', description: 'D', tags: { T: 'T' } };

function callerWith(plan: KeyCaller['plan'], livemode: boolean): KeyCaller {
  return {
    kind: 'key',
    platformId: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34',
    platformName: 'P',
    keyId: '0199a3c2-7b1f-7d02-9a11-0c4de8f7b215',
    actor: 'key:0199a3c2-7b1f-7d02-9a11-0c4de8f7b215',
    livemode,
    scopes: [],
    trustTier: 'STARTER',
    plan,
    velocityExempt: false,
    rateLimitPerMinute: 0,
    monthlyQuota: 0,
    maxKeyLifetimeDays: null,
    confirmationsRequireWrite: false,
    group: 0,
  };
}

/** The service's own rules, with every request recognised as this caller. */
function serve(caller: KeyCaller) {
  const { authorize } = createAuthenticator({
    db: {} as Database,
    clock: systemClock,
    adminSecret: undefined,
    keyUses: { note: () => undefined },
    groups: () => [],
  });
  const authenticator: Authenticator = { identify: () => caller, authorize };
  const server = createServer({ log: pino({ level: 'silent' }), methodsOf: () => [] });
  mountRoutes(server, table, { authenticator });
  return server;
}

describe('a route that requires a plan', () => {
  test.each([
    ['starter', 'campaigns', 402],
    ['starter', 'agents', 402],
    ['growth', 'campaigns', 200],
    ['growth', 'agents', 402],
    ['enterprise', 'campaigns', 200],
    ['enterprise', 'agents', 200],
  ] as const)('with the plan %s %s answers %i to a live key', async (plan, feature, status) => {
    const answer = await serve(callerWith(plan, true)).inject(`/api/v1/${feature}-of-the-test`);
    expect(answer.statusCode).toBe(status);
    if (status === 200) return;
    expect(answer.json()).toMatchObject({
      code: 'PLAN_REQUIRED',
      retryable: false,
      details: {
        feature,
        currentTier: plan,
        requiredPlan: feature === 'campaigns' ? 'growth' : 'enterprise',
      },
    });
  });

  test('is open to every test key', async () => {
    for (const plan of ['starter', 'growth'] as const) {
      const server = serve(callerWith(plan, false));
      expect((await server.inject('/api/v1/agents-of-the-test')).statusCode).toBe(200);
    }
  });

  test('names the plan in the OpenAPI document', () => {
    const operation = atOnce(openApiSteps(table, text)).paths['/api/v1/agents-of-the-test']?.get;
    expect(operation?.['x-plan-feature']).toBe('agents');
    const examples = operation?.responses['402']?.content?.['application/json']?.examples;
    expect(Object.keys(examples ?? {})).toEqual(['PLAN_REQUIRED']);
  });
});

describe('the OpenAPI document', () => {
  test('documents limits exactly on limited operations', () => {
    const { paths } = atOnce(openApiSteps(table, text));
    const limited = paths['/api/v1/agents-of-the-test']?.get?.responses ?? {};
    expect(Object.keys(limited['200']?.headers ?? {})).toEqual(
      expect.arrayContaining(['RateLimit-Limit', 'RateLimit-Policy', 'X-Quota-Remaining']),
    );
    expect(limited['429']?.description).toBe('`QUOTA_EXCEEDED`, `RATE_LIMIT_EXCEEDED`');
    const open = paths['/api/v1/open']?.get?.responses ?? {};
    expect(Object.keys(open['200']?.headers ?? {})).toEqual(['X-Request-Id', 'X-Unknown-Parameters']);
    expect(open['429']).toBeUndefined();
  });
});

test('health, readiness, metrics, well-known documents and the files of the console are the only operations without a rate limit', () => {
  const unmetered = Object.entries(routeTable()).filter(([, { unmetered }]) => unmetered);
  expect(unmetered.map(([name]) => name).sort()).toEqual([
    'GET !/.well-known/did.json',
    'GET !/.well-known/http-message-signatures-directory',
    'GET !/.well-known/ledger-log.json',
    'GET !/.well-known/oauth-authorization-server',
    'GET !/.well-known/openid-credential-issuer',
    'GET !/.well-known/security.txt',
    'GET !/console',
    'GET !/console/{rest}',
    'GET !/health',
    'GET !/health/ready',
    'GET !/metrics',
    'GET /health',
    'GET /health/ready',
  ]);
});

describe('an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['', ''],
  ])('%s is counted as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
