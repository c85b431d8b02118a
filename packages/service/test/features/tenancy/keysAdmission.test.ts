import { beforeAll, describe, expect, test } from 'vitest';
import { scopeCatalogue } from '#domain/scopes.js';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { routeTable } from '#harness/routeTable.js';
import type { TestService } from '#harness/service.js';
import { type Operation, operationsOf } from '#kit/http/route.js';
import { mint, newPlatform, revoke, UNKNOWN_ID } from './keyFixtures.js';

/** Every operation, so that the rules apply to a new one without a change here. */
const operations = operationsOf(routeTable());
const guarded = operations.filter(({ route }) => route.access.kind !== 'public');

interface Admission {
  /** `in`: the operation itself answered, also with an error. */
  outcome: 'in' | 'UNAUTHORIZED' | 'SCOPE_INSUFFICIENT';
  status: number;
  body: Record<string, unknown>;
}

describe.each(breadth)('every operation on %s', (engine) => {
  let badKeys: Record<string, Record<string, string>>;
  let goodKeys: { live: string; test: string };
  const keyWith: Record<string, string> = {};

  const service = givenService(engine);
  beforeAll(async () => {
    const { live, test: testKey } = await newPlatform(service);
    goodKeys = { live: live.key, test: testKey.key };
    for (const scope of scopeCatalogue) {
      keyWith[scope] = (await mint(service, live.key, { scopes: [scope] })).body.key;
    }
    badKeys = await makeBadKeys(service, live.key);
  });

  test.each(guarded)(
    '$method $path is closed to every key that is not valid, in the same words',
    async (operation) => {
      const refusals = await Promise.all(
        Object.entries(badKeys).map(async ([kind, headers]) => ({
          kind,
          ...(await call(service, operation, headers)),
        })),
      );
      for (const { kind, outcome, status } of refusals)
        expect([kind, outcome, status]).toEqual([kind, 'UNAUTHORIZED', 401]);
      const words = refusals.map(({ body: { requestId: _, ...rest } }) => JSON.stringify(rest));
      expect(new Set(words).size).toBe(1);
      if (operation.method !== 'GET') return;
      expect((await call(service, { ...operation, method: 'HEAD' }, badKeys.unknown ?? {})).status).toBe(401);
    },
  );

  test.each(guarded)('$method $path admits exactly the callers that its route names', async (operation) => {
    const { access } = operation.route;
    const takesKeys = access.kind === 'key';
    const modes = await Promise.all(
      Object.values(goodKeys).map((key) => call(service, operation, bearer(key))),
    );
    const unscoped = takesKeys ? 'in' : 'UNAUTHORIZED';
    expect(modes.map(({ outcome }) => outcome)).toEqual([unscoped, unscoped]);
    const operator = await call(service, operation, { 'X-Admin-Secret': service.adminSecret });
    expect(operator.outcome).toBe(takesKeys ? 'UNAUTHORIZED' : 'in');
    const scoped = await Promise.all(
      scopeCatalogue.map(async (scope) => [
        scope,
        (await call(service, operation, bearer(keyWith[scope] ?? ''))).outcome,
      ]),
    );
    expect(scoped).toEqual(scopeCatalogue.map((scope) => [scope, expectedFor(scope, operation)]));
  });

  test('a wrong admin secret is refused like a missing one', async () => {
    for (const operation of guarded.filter(({ route }) => route.access.kind === 'operator')) {
      for (const secret of ['', 'x', `${service.adminSecret}x`, service.adminSecret.slice(0, -1)]) {
        expect((await call(service, operation, { 'X-Admin-Secret': secret })).status).toBe(401);
      }
    }
  });

  test('an open operation needs no key', async () => {
    const open = operations.filter(({ route }) => route.access.kind === 'public');
    // It answers 401 to everybody without a session of the console.
    for (const operation of open.filter(({ route }) => route.operationId !== 'readConsoleSession')) {
      for (const headers of [{}, ...Object.values(badKeys)]) {
        const { outcome } = await call(service, operation, headers);
        expect([operation.path, outcome]).toEqual([operation.path, 'in']);
      }
    }
  });
});

/** Headers with an invalid key, each for a different reason. */
async function makeBadKeys(
  service: TestService,
  key: string,
): Promise<Record<string, Record<string, string>>> {
  const revoked = (await mint(service, key, {})).body;
  await revoke(service, key, revoked.id);
  const expired = (await mint(service, key, {})).body;
  await service.db.execute("update api_key set expires_at = now() - interval '1 second' where key_id = $1", [
    expired.id,
  ]);
  const inactive = await newPlatform(service);
  const path = `/admin/platforms/${inactive.platformId}`;
  await service.request('PATCH', path, { admin: true, body: { isActive: false } });
  return {
    none: {},
    empty: { Authorization: '' },
    malformed: bearer('crd_live_short'),
    'of another scheme': { Authorization: `Basic ${key}` },
    'in capitals': bearer(key.toUpperCase()),
    unknown: bearer(`crd_live_${'x'.repeat(43)}`),
    revoked: bearer(revoked.key),
    expired: bearer(expired.key),
    'of an inactive platform': bearer(inactive.live.key),
    'of an inactive platform, test': bearer(inactive.test.key),
  };
}

function bearer(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}

/** Written from RULES K3, not from the code under test. */
function expectedFor(scope: string, { method, route }: Operation): Admission['outcome'] {
  if (route.access.kind !== 'key') return 'UNAUTHORIZED';
  if (!route.access.scope) return 'in';
  const { resource, action } = route.access.scope;
  if (action === 'either') return ['read', 'write'].some(isEnough) ? 'in' : 'SCOPE_INSUFFICIENT';
  return isEnough(action === 'byMethod' ? (method === 'GET' ? 'read' : 'write') : action)
    ? 'in'
    : 'SCOPE_INSUFFICIENT';

  function isEnough(needed: string): boolean {
    const [name, part = '*'] = scope.split(':');
    const isWide = (name === 'read' || name === 'write') && resource !== 'admin' && name === needed;
    const isNarrow = name === resource && (part === '*' || part === needed);
    return name === '*' || isWide || isNarrow;
  }
}

/** Calls with unknown ids and an empty body: only admission matters. */
async function call(
  service: TestService,
  { method, path }: Pick<Operation, 'method' | 'path'>,
  headers: Record<string, string>,
): Promise<Admission> {
  const takesBody = method === 'POST' || method === 'PATCH' || method === 'PUT';
  const response = await fetch(service.url + path.replace(/\{\w+\}/g, UNKNOWN_ID), {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(takesBody && { 'Content-Type': 'application/json' }) },
    ...(takesBody && { body: '{}' }),
  });
  const type = response.headers.get('content-type') ?? '';
  const text = type.startsWith('text/event-stream') ? await leave(response) : await response.text();
  const isError = response.status >= 400 && text !== '' && type.includes('json');
  const body: Record<string, unknown> = isError ? JSON.parse(text) : {};
  const { code } = body;
  const outcome = code === 'UNAUTHORIZED' || code === 'SCOPE_INSUFFICIENT' ? code : 'in';
  return { outcome, status: response.status, body };
}

/** A stream does not end while a client reads it. */
async function leave(response: Response): Promise<string> {
  await response.body?.cancel();
  return '';
}
