import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { engines, hasPostgres, openTestDatabase } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import type { Database } from '#kit/db/database.js';
import { lockRecordOf } from '#ledger/links/lockRecord.js';
import { freezeScores, thawRecord } from '#ledger/recompute/freezes.js';
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

  test('a record has the id of its only subject, and an id of its own while it is linked', async () => {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    expect(await bench.link(second, first)).toBe(2);
    const { recordId } = await stateOf(db, first);
    expect([first.id, second.id]).not.toContain(recordId);
    expect((await stateOf(db, second)).recordId).toBe(recordId);
    await bench.unlink(first);
    expect((await stateOf(db, first)).recordId).toBe(first.id);
    expect((await stateOf(db, second)).recordId).toBe(second.id);
  });

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

  test('a record loses its score when its only member with events leaves', async () => {
    const [silent, mute, active] = [await bench.add(), await bench.add(), await bench.addWith(2)];
    await bench.link(silent, active);
    await bench.link(mute, active);
    await bench.recompute();
    await bench.unlink(active);
    await bench.recompute();
    expect(await stateOf(db, silent)).toMatchObject({ finalScore: null });
    expect(await stateOf(db, mute)).toMatchObject({ finalScore: null });
    expect(await stateOf(db, active)).toMatchObject({ totalEvents: 2 });
    await bench.report(mute, [good]);
    await bench.recompute();
    expect(await stateOf(db, silent)).toMatchObject({ totalEvents: 1, snapshotNo: 2 });
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

  test('a queued recompute of a record without members does nothing', async () => {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    await bench.link(second, first);
    await bench.report(first, [good]);
    await bench.unlink(second);
    await bench.recompute();
    expect(await db.query('select 1 from recompute_queue')).toEqual([]);
    expect(await stateOf(db, first)).toMatchObject({ totalEvents: 2 });
  });

  test('a freeze and its end apply to every member', async () => {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    await bench.link(second, first);
    await bench.recompute();
    const { recordId } = await stateOf(db, first);
    await db.transaction((tx) => freezeScores(tx, [recordId], new Date()));
    expect((await stateOf(db, second)).frozenAt).not.toBeNull();
    const thawed = await db.transaction((tx) => thawRecord(tx, second.id, new Date()));
    expect(thawed.map(({ subjectId }) => subjectId).sort()).toEqual([first.id, second.id].sort());
    expect((await stateOf(db, first)).frozenAt).toBeNull();
  });
});

describe.runIf(hasPostgres)('links beside other transactions on postgresql', () => {
  beforeAll(() => open('postgresql'));
  afterAll(() => close());

  test('a link waits for a recompute of either record in progress', async () => {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    const paused = gate();
    const computing = db.transaction(async (tx) => {
      await lockRecordOf(tx, first.id);
      paused.reach();
      await paused.leave;
    });
    await paused.reached;
    let isLinked = false;
    const linking = bench.link(second, first).then(() => {
      isLinked = true;
    });
    await someoneWaits('advisory');
    expect(isLinked).toBe(false);
    paused.open();
    await Promise.all([computing, linking]);
    expect(isLinked).toBe(true);
  });

  test('an append during a link is queued for the linked record', async () => {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    await bench.recompute();
    const linked = gate();
    const linking = db.transaction(async (tx) => {
      await bench.linkIn(tx, second, first);
      linked.reach();
      await linked.leave;
    });
    await linked.reached;
    const appending = bench.report(first, [good]);
    await someoneWaits('transactionid');
    linked.open();
    await Promise.all([linking, appending]);
    const { recordId } = await stateOf(db, first);
    const queued = await db.query<{ recordId: string }>('select record_id from recompute_queue');
    expect(queued.map((row) => row.recordId)).toEqual([recordId, recordId]);
    await bench.recompute();
    expect(await stateOf(db, second)).toMatchObject({ totalEvents: 3 });
  });

  test('a link waits for an append in progress and its score counts the event', async () => {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    await bench.recompute();
    const written = gate();
    const appending = db.transaction(async (tx) => {
      const { platformId, name } = first;
      const reporter = { platformId, livemode: true, trustTier: 'GROWTH' } as const;
      await bench.ledger.appendIn(tx, reporter, [{ ...EVENT, externalId: name }], { by: 'reporter' });
      written.reach();
      await written.leave;
    });
    await written.reached;
    const linking = bench.link(second, first);
    await someoneWaits('transactionid');
    written.open();
    await Promise.all([appending, linking]);
    await bench.recompute();
    expect(await stateOf(db, second)).toMatchObject({ totalEvents: 3 });
  });

  test('a waiting transaction locks only the record that its subject moved to', async () => {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    const linked = gate();
    const linking = db.transaction(async (tx) => {
      await bench.linkIn(tx, second, first);
      linked.reach();
      await linked.leave;
    });
    await linked.reached;
    const holding = gate();
    const waiting = db.transaction(async (tx) => {
      const answer = await lockRecordOf(tx, first.id);
      holding.reach();
      await holding.leave;
      return answer;
    });
    await someoneWaits('advisory');
    linked.open();
    await linking;
    await holding.reached;
    const { recordId } = await stateOf(db, first);
    expect(await isFree(first.id)).toBe(true);
    expect(await isFree(recordId)).toBe(false);
    holding.open();
    expect(await waiting).toBe(recordId);
  });

  test('clearing a flag while members join clears it for them, too', async () => {
    const [first, second, third] = [await bench.addWith(1), await bench.addWith(1), await bench.addWith(1)];
    await bench.link(second, first);
    await bench.recompute();
    const { recordId } = await stateOf(db, first);
    await db.transaction((tx) => freezeScores(tx, [recordId], new Date()));
    const left = gate();
    const leaving = db.transaction(async (tx) => {
      await lockRecordOf(tx, first.id);
      left.reach();
      await left.leave;
      // The statements of an unlink, in a transaction that the clearing waits for.
      await tx.execute('update subject set record_id = subject_id where record_id = $1', [recordId]);
      await tx.execute('update score set record_id = subject_id where record_id = $1', [recordId]);
    });
    await left.reached;
    const clearing = db.transaction((tx) => thawRecord(tx, second.id, new Date()));
    await someoneWaits('advisory');
    left.open();
    await leaving;
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

const EVENT = {
  externalId: '',
  eventType: 'CONTRACT_FULFILLED',
  stakeLevel: 'MEDIUM',
  isVerified: true,
  attester: null,
  transactionValue: null,
  dueDate: null,
  completedAt: null,
  metadata: null,
  itemKey: null,
  imported: false,
} as const;

/** A checkpoint: a transaction reports that it got there and waits. */
function gate() {
  let reach = (): void => {};
  let open = (): void => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const leave = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { reach, reached, open, leave };
}
