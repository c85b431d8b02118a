import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPostgres, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { occupyConnections } from '#harness/occupyConnections.js';
import { quietLog } from '#harness/quietLog.js';
import { startTestService, type TestService } from '#harness/service.js';
import type { Database } from '#kit/db/database.js';
import { openDatabase } from '../../../src/shape/openDatabase.js';
import { outcome, report } from '../intake/eventFixtures.js';

const CONNECTIONS = 10; // of the service's pool

describe.runIf(hasPostgres)('a database all of whose connections are in use', () => {
  let database: TestDatabase;
  let db: Database;
  let service: TestService;
  beforeAll(async () => {
    database = await openTestDatabase('postgresql');
    db = await openDatabase({ databaseUrl: database.url, log: quietLog });
    // On Citus other groups have connections of their own.
    const env = { LOG_LEVEL: 'silent' };
    service = await startTestService('postgresql', { db, env, inFirstGroup: true });
    await report(service, outcome());
    await service.settle();
  });
  afterAll(async () => {
    await service.close();
    await db.close();
    await database.close();
  });

  test('answers requests with OVERLOADED and readiness with busy, and recovers', async () => {
    const release = await occupyConnections(db, CONNECTIONS);
    const [ready, ...answers] = await Promise.all([
      service.request('GET', '/health/ready', { key: null }),
      report(service, outcome()),
      service.request('GET', '/users/worker-1/score'),
      service.request('GET', '/events/export'),
    ]);
    for (const { status, body, headers } of answers) {
      expect([status, body.code, body.retryable]).toEqual([503, 'OVERLOADED', true]);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect(ready).toMatchObject({ status: 503, body: { checks: { database: { status: 'busy' } } } });
    await release();
    expect((await service.request('GET', '/health/ready', { key: null })).status).toBe(200);
    expect((await report(service, outcome())).status).toBe(201);
  });
});
