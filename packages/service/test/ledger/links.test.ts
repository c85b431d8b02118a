import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { engines, hasPostgres, openTestDatabase } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { heldTransaction } from '#harness/heldTransaction.js';
import type { Database } from '#kit/db/database.js';
import { lockRecordOf } from '#ledger/links/lockRecord.js';
import { freezeScores, thawRecord } from '#ledger/recompute/freezes.js';
import { outcome } from './deps.js';
import { good, type LinkBench, linkBench, stateOf } from './linksDeps.js';

let db: Database;
let close: () => Promise<void>;
let bench: LinkBench;

async function open(engine: (typeof engines)[number]): Promise<void> {
  ({ db, close } = await openTestDatabase(engine));
  bench = linkBench(db);
}

describe.each(engines)('links in the ledger on %s', (engine) => {
  beforeAll(() => open(engine));
  afterEach(async () => {
    await bench.recompute();
    expect(await bench.audit()).toEqual([]);
  });
  afterAll(() => close());

  test('link facts cannot be changed or deleted', async () => {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    await bench.link(second, first);
    await bench.unlink(second);
    const facts = await db.query(
      'select position, action, platform_id from subject_link where subject_id = $1 order by position',
      [second.id],
    );
    expect(facts).toEqual([
      { position: 1, action: 'linked', platformId: second.platformId },
      { position: 2, action: 'unlinked', platformId: second.platformId },
    ]);
    for (const change of [
      "update subject_link set action = 'linked'",
      'delete from subject_link',
      'truncate subject_link',
    ]) {
      await expect(db.execute(change)).rejects.toMatchObject({ code: '23001' });
    }
  });

  test('a subject without events has a score only while it is linked', async () => {
    const [silent, active] = [await bench.add(), await bench.addWith(3)];
    await bench.recompute();
    expect(await stateOf(db, silent)).toMatchObject({ finalScore: null });
    await bench.link(silent, active);
    await bench.recompute();
    const shared = await stateOf(db, active);
    expect(await stateOf(db, silent)).toMatchObject({
      finalScore: shared.finalScore,
      totalEvents: 3,
      ownEvents: 0,
      isScored: true,
    });
    await bench.unlink(silent);
    expect(await stateOf(db, silent)).toMatchObject({ finalScore: null, isScored: false });
    await bench.recompute();
    expect(await stateOf(db, silent)).toMatchObject({ finalScore: null, isScored: false });
    expect(await stateOf(db, active)).toMatchObject({ finalScore: shared.finalScore });
    await bench.report(silent, [good]);
    expect(await bench.audit()).toEqual([]);
    await bench.recompute();
    expect(await stateOf(db, silent)).toMatchObject({ totalEvents: 1, ownEvents: 1, snapshotNo: 2 });
  });

  test('a score change caused by events and a link names the link as its reason', async () => {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    await bench.recompute();
    await bench.link(second, first);
    await bench.report(first, [good]);
    await bench.recompute();
    const [latest] = await db.query<{ reason: string }>(
      'select reason from score_snapshot where subject_id = $1 order by snapshot_no desc limit 1',
      [first.id],
    );
    expect(latest?.reason).toBe('linked');
  });
});

describe.runIf(hasPostgres)('links beside other transactions on postgresql', () => {
  beforeAll(() => open('postgresql'));
  afterAll(() => close());

  test('a link waits for a recompute of either record in progress', async () => {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    const endRecompute = await heldTransaction(db, (tx) => lockRecordOf(tx, first.id));
    let isLinked = false;
    const linking = bench.link(second, first).then(() => {
      isLinked = true;
    });
    await someoneWaits('advisory');
    expect(isLinked).toBe(false);
    await Promise.all([endRecompute(), linking]);
    expect(isLinked).toBe(true);
  });

  test('an append during a link is queued for the linked record', async () => {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    await bench.recompute();
    const endLink = await heldTransaction(db, (tx) => bench.linkIn(tx, second, first));
    const appending = bench.report(first, [good]);
    await someoneWaits('transactionid');
    await Promise.all([endLink(), appending]);
    const { recordId } = await stateOf(db, first);
    const queued = await db.query<{ recordId: string }>('select record_id from recompute_queue');
    expect(queued.map((row) => row.recordId)).toEqual([recordId, recordId]);
    await bench.recompute();
    expect(await stateOf(db, second)).toMatchObject({ totalEvents: 3 });
  });

  test('a link waits for an append in progress and its score counts the event', async () => {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    await bench.recompute();
    const { platformId, name } = first;
    const by = { platformId, livemode: true, trustTier: 'GROWTH' } as const;
    const event = outcome({ externalId: name });
    const endAppend = await heldTransaction(db, (tx) =>
      bench.ledger.appendIn(tx, by, [event], { by: 'reporter' }),
    );
    const linking = bench.link(second, first);
    await someoneWaits('transactionid');
    await Promise.all([endAppend(), linking]);
    await bench.recompute();
    expect(await stateOf(db, second)).toMatchObject({ totalEvents: 3 });
  });

  test('a waiting transaction locks only the record that its subject moved to', async () => {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    const endLink = await heldTransaction(db, (tx) => bench.linkIn(tx, second, first));
    let locked: string | null = '';
    const waiting = heldTransaction(db, async (tx) => {
      locked = await lockRecordOf(tx, first.id);
    });
    await someoneWaits('advisory');
    await endLink();
    const endWaiting = await waiting;
    const { recordId } = await stateOf(db, first);
    expect(locked).toBe(recordId);
    expect(await isFree(first.id)).toBe(true);
    expect(await isFree(recordId)).toBe(false);
    await endWaiting();
  });

  test('clearing a flag while members join clears it for them, too', async () => {
    const [first, second, third] = [await bench.addWith(1), await bench.addWith(1), await bench.addWith(1)];
    await bench.link(second, first);
    await bench.recompute();
    const { recordId } = await stateOf(db, first);
    await db.transaction((tx) => freezeScores(tx, [recordId], new Date()));
    // The statements of an unlink, in a transaction that the clearing waits for.
    const endUnlink = await heldTransaction(db, async (tx) => {
      await lockRecordOf(tx, first.id);
      await tx.execute('update subject set record_id = subject_id where record_id = $1', [recordId]);
      await tx.execute('update score set record_id = subject_id where record_id = $1', [recordId]);
    });
    const clearing = db.transaction((tx) => thawRecord(tx, second.id, new Date()));
    await someoneWaits('advisory');
    await endUnlink();
    expect((await clearing).map(({ subjectId }) => subjectId)).toEqual([second.id]);
    expect((await stateOf(db, first)).frozenAt).not.toBeNull();
    expect((await stateOf(db, third)).frozenAt).toBeNull();
  });

  /** Waits until some transaction waits for a lock of this kind. */
  async function someoneWaits(kind: 'advisory' | 'transactionid'): Promise<void> {
    await eventually(async () => {
      const rows = await db.query(
        `select 1 from pg_locks l join pg_stat_activity a using (pid)
         where not l.granted and l.locktype = $1 and a.datname = current_database()`,
        [kind],
      );
      return rows.length > 0;
    });
  }

  function isFree(recordId: string): Promise<boolean> {
    return db.transaction(async (tx) => {
      const [row] = await tx.query<{ free: boolean }>(
        'select pg_try_advisory_xact_lock(hashtextextended($1::text, 0)) as free',
        [recordId],
      );
      return row?.free === true;
    });
  }
});
