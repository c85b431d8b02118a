import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addTestGroups, groupCount, hasCitus, hasPostgres, openTestDatabase } from '#harness/engines.js';
import { openFreezingProxy } from '#harness/freezingProxy.js';
import { heldTransaction } from '#harness/heldTransaction.js';
import { quietLog } from '#harness/quietLog.js';
import { type Database, isDatabaseBusy } from '#kit/db/database.js';
import type { Participant } from '#kit/db/participants.js';
import { preparedName, recoverPrepared } from '#kit/db/participants.js';
import { DEFAULT_POOL_SIZE } from '#kit/db/postgres.js';
import { openDatabase } from '../../src/shape/openDatabase.js';
import { joinServers, type OpenHome, openTwoServers } from './linkHomes.js';

const WRITE = 'insert into recompute_queue (record_id, enqueued_at) values ($1, now())';

describe.skipIf(!hasPostgres)('a transaction over ledger groups on two servers', () => {
  let opened: OpenHome;
  beforeAll(async () => {
    opened = await openTwoServers();
  });
  afterAll(() => opened.close());

  const recovered = () => recoverPrepared(opened.groups, quietLog);

  async function countIn(group: number, id: string): Promise<number> {
    const rows = await opened.groups[group]?.query('select from recompute_queue where record_id = $1', [id]);
    return rows?.length ?? 0;
  }

  async function left(): Promise<number> {
    const [, other] = opened.groups;
    const prepared = await other?.query('select from pg_prepared_xacts where gid like $1', ['reliability %']);
    return (prepared?.length ?? 0) + (await opened.db.query('select from group_commit')).length;
  }

  /** What a process leaves that dies between preparing and committing. */
  async function prepareAlone(id: string): Promise<void> {
    const other = opened.groups[1] as Database & Participant;
    const { transaction, release } = await other.openTransaction();
    await transaction.execute(WRITE, [id]);
    await transaction.prepare(preparedName({ home: 0, id, ledger: 1 }));
    release();
  }

  test('commits in all groups, or in none', async () => {
    const [kept, lost] = [randomUUID(), randomUUID()];
    await opened.db.transaction(async (tx) => {
      await tx.execute(WRITE, [kept]);
      await tx.inLedger(1, (tx) => tx.execute(WRITE, [kept]));
    });
    const failing = opened.db.transaction(async (tx) => {
      await tx.inLedger(1, (tx) => tx.execute(WRITE, [lost]));
      await tx.execute(WRITE, [lost]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect([await countIn(0, kept), await countIn(1, kept)]).toEqual([1, 1]);
    expect([await countIn(0, lost), await countIn(1, lost)]).toEqual([0, 0]);
    expect(await left()).toBe(0);
  });

  test('a part on another server writes through the transaction that began', async () => {
    const id = randomUUID();
    await opened.db.transaction((tx) =>
      tx.inLedger(1, async (part) => {
        await part.execute(WRITE, [id]);
        await part.inShared((shared) => shared.execute(WRITE, [id]));
      }),
    );
    expect([await countIn(0, id), await countIn(1, id)]).toEqual([1, 1]);
    expect(await left()).toBe(0);
  });

  test('commits although others wait for its locks on all other connections', async () => {
    const id = randomUUID();
    const lock = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
    const writeBoth = () =>
      opened.db.transaction(async (tx) => {
        await tx.execute(WRITE, [id]);
        await tx.inLedger(1, async (tx) => {
          await tx.query(lock, [id]);
          await tx.execute(WRITE, [id]);
        });
      });
    const more = DEFAULT_POOL_SIZE + 2;
    await Promise.all(Array.from({ length: more }, writeBoth));
    expect([await countIn(0, id), await countIn(1, id)]).toEqual([more, more]);
    expect(await left()).toBe(0);
  });

  test('recovery commits what was decided, and rolls back the rest', async () => {
    const [decided, undecided] = [randomUUID(), randomUUID()];
    await prepareAlone(decided);
    await prepareAlone(undecided);
    await opened.db.execute('insert into group_commit (commit_id, groups) values ($1, $2)', [decided, [1]]);
    await recovered();
    expect([await countIn(1, decided), await countIn(1, undecided)]).toEqual([1, 0]);
    expect(await left()).toBe(0);
  });

  test('recovery leaves a transaction alone whose process still decides', async () => {
    const id = randomUUID();
    await prepareAlone(id);
    const decide = await heldTransaction(opened.db, async (tx) => {
      await tx.query('select pg_advisory_xact_lock(hashtextextended($1::text, 0))', [id]);
      await tx.execute('insert into group_commit (commit_id, groups) values ($1, $2)', [id, [1]]);
    });
    await recovered();
    expect(await countIn(1, id)).toBe(0);
    expect(await left()).toBe(1);
    await decide();
    await recovered();
    expect(await countIn(1, id)).toBe(1);
  });
});

describe.skipIf(!hasPostgres || hasCitus)('a server of a ledger group that freezes', () => {
  test.each([
    ['before its statement', 'first'],
    ['before its commit is prepared', 'last'],
  ])('%s holds the locks on others for a moment only', async (_, moment) => {
    const [first, second] = [await openTestDatabase('postgresql'), await openTestDatabase('postgresql')];
    if (groupCount === 1) await addTestGroups(second.db, 1);
    const proxy = await openFreezingProxy(second.url ?? '');
    const opened = { log: quietLog, severalServersLimitMs: 400 };
    const own = await openDatabase({ ...opened, databaseUrl: first.url ?? '' });
    const other = await openDatabase({ ...opened, databaseUrl: proxy.url });
    const id = randomUUID();
    try {
      const groups = await joinServers(own, other);
      await groups[1]?.query('select 1');
      const link = own.transaction(async (tx) => {
        await tx.execute(WRITE, [id]);
        await tx.query('select from ledger_group for update');
        if (moment === 'first') proxy.freeze();
        await tx.inLedger(1, (tx) => tx.execute(WRITE, [id]));
        proxy.freeze();
      });
      await expect(link).rejects.toSatisfy(isDatabaseBusy);
      // The server is still frozen.
      await first.db.query('select from ledger_group for update nowait');
      expect(await first.db.query('select from recompute_queue where record_id = $1', [id])).toEqual([]);
      expect(await first.db.query('select from group_commit')).toEqual([]);
    } finally {
      proxy.close();
      await Promise.all([own.close(), other.close()]);
      await Promise.all([first.close(), second.close()]);
    }
  });
});
