import { afterAll, afterEach, expect } from 'vitest';
import { type EnvelopeType, exampleEnvelope } from '#domain/envelopes/catalogue.js';
import { type Engine, openTestDatabase } from '#harness/engines.js';
import { openEventStream, type StreamClient } from '#harness/eventStream.js';
import { PATIENCE_MS } from '#harness/eventually.js';
import { quietLog } from '#harness/quietLog.js';
import { joinTestService, startTestService, type TestService } from '#harness/service.js';
import type { Database } from '#kit/db/database.js';
import { announce } from '#kit/db/wakes.js';
import { createIdSource } from '#kit/ids.js';
import { type EnvelopeDraft, writeEnvelopes } from '#outbox/envelopes.js';
import { openDatabase } from '../../../src/shape/openDatabase.js';
import { newPlatform } from '../tenancy/keyFixtures.js';

type StartOptions = Parameters<typeof startTestService>[1];

/**
 * Helpers for a suite. Streams end with their test, and so does a service that a test starts for
 * itself.
 */
export function streamKit() {
  const cleanups: (() => unknown)[] = [];
  let shared: Promise<TestService> | undefined;
  afterEach(async () => {
    for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
  });
  afterAll(async () => (await shared)?.close());
  /** A new platform on a service of its own. */
  async function start(engine: Engine, options: StartOptions = {}, more: object = {}) {
    const service = await startTestService(engine, options);
    let isClosed = false;
    const close = async () => {
      if (!isClosed) await service.close();
      isClosed = true;
    };
    cleanups.push(close);
    return { service, close, ...(await newPlatform(service, more)) };
  }
  return {
    cleanups,
    start,
    /** A new platform on the service that all suites share. */
    async join(engine: Engine, more: object = {}) {
      shared ??= joinTestService(engine);
      const service = await shared;
      return { service, ...(await newPlatform(service, more)) };
    },
    /** A process of each role on one database. */
    async startOnOne(roles: readonly string[], more: object = {}) {
      const database = await openTestDatabase('postgresql');
      cleanups.push(() => database.close());
      const processes = [];
      for (const ROLE of roles) {
        const connectWithinMs = PATIENCE_MS;
        const db = await openDatabase({ databaseUrl: database.url, log: quietLog, connectWithinMs });
        cleanups.push(() => db.close());
        processes.push(await start('postgresql', { db, env: { ROLE } }, more));
      }
      return { processes, db: database.db };
    },
    /** Opens a stream and accepts any answer. */
    async open(
      service: TestService,
      key: string,
      options: { lastEventId?: string; types?: string; backfill?: string } = {},
    ) {
      const stream = await openEventStream(service.url, { key, ...options });
      cleanups.push(() => stream.close());
      return stream;
    },
  };
}

const ids = createIdSource();

interface WriteOptions {
  platformId: string;
  livemode?: boolean;
  type?: EnvelopeType;
  count?: number;
  /** Makes each envelope longer by this, with an unknown field. */
  extraBytes?: number;
  /** How long the transaction stays open after the write. */
  holdMs?: number;
}

/** Writes envelopes in a transaction of their own and notifies the readers. */
export async function write(
  db: Database,
  {
    platformId,
    livemode = true,
    type = 'score.updated',
    count = 1,
    extraBytes = 0,
    holdMs = 0,
  }: WriteOptions,
): Promise<void> {
  const example = exampleEnvelope(type).data;
  const data = extraBytes > 0 ? { ...example, extra: 'x'.repeat(extraBytes) } : example;
  const draft = { type, data, platformId, livemode, subjectId: null } as EnvelopeDraft;
  await db.transaction(async (tx) => {
    await writeEnvelopes(tx, ids, new Date(), Array<EnvelopeDraft>(count).fill(draft));
    if (holdMs > 0) await pause(holdMs);
  });
  await announce(db, 'envelopes');
}

/**
 * Waits until all envelopes are settled. Until then a new stream sends existing ones as new.
 * Transactions of other tests on the same server delay this.
 */
export async function untilSettled(db: Database): Promise<void> {
  const open = 'select 1 from envelope where xid >= pg_snapshot_xmin(pg_current_snapshot())';
  await expect.poll(async () => (await db.query(open)).length, { interval: 5 }).toBe(0);
}

/** Ids of the envelopes of a platform and mode, in the order of their transactions. */
export async function writtenIds(db: Database, platformId: string, livemode = true): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select envelope_id as id from envelope where platform_id = $1 and livemode = $2 and only_target is null
     order by xid, envelope_id`,
    [platformId, livemode],
  );
  return rows.map(({ id }) => id);
}

export function idsOf({ parsed }: StreamClient): string[] {
  return parsed.events.filter(({ type }) => type !== 'reset').map(({ data }) => JSON.parse(data).id);
}

export async function untilReceived(stream: StreamClient, count: number): Promise<void> {
  await expect.poll(() => idsOf(stream).length, { interval: 5 }).toBeGreaterThanOrEqual(count);
}

export async function leasesTaken(db: Database, platformId: string): Promise<number> {
  return (await db.query('select 1 from stream_lease where platform_id = $1', [platformId])).length;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
