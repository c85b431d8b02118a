import { leafHash, nodeHash, parseCheckpoint, parseNote } from '@reliability/proof';
import { beforeAll, describe, expect, test } from 'vitest';
import { logDifferencesIn } from '#harness/differencesIn.js';
import { engines } from '#harness/engines.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { systemClock } from '#kit/clock.js';
import type { Database } from '#kit/db/database.js';
import { createKnownLog, logBatch } from '#ledger/log/batch.js';
import { createSequencer } from '#ledger/log/sequencer.js';
import { freezeScores, thawRecord } from '#ledger/recompute/freezes.js';
import { createKeyRing } from '#ledger/signingKeys.js';
import { append, log, outcome, reporter } from '../deps.js';
import { good, type LinkBench, linkBench, stateOf } from '../linksDeps.js';
import { leavesByKind, logAll, ORIGIN, settledLogOf, testLogSigner, testVault } from './logDeps.js';

describe.each(engines)('the sequencer on %s', (engine) => {
  const own = ownDatabase(engine);
  let db: Database;
  let bench: LinkBench;

  beforeAll(() => {
    db = own.db;
    bench = linkBench(db);
  });

  test('every live fact becomes one leaf, numbered without a gap', async () => {
    const [a, b] = [await bench.addWith(25), await bench.addWith(3)];
    await bench.link(a, b);
    await bench.recompute();
    await db.transaction((tx) => freezeScores(tx, [a.id], new Date()));
    const { recordId } = await stateOf(db, a);
    await db.transaction(async (tx) => {
      await freezeScores(tx, [recordId], new Date());
      await thawRecord(tx, a.id, new Date());
    });
    await bench.unlink(a);
    await bench.recompute();
    await logAll(db);
    const [facts] = await db.query<Record<string, number>>(
      `select (select count(*) from event) as "1", (select count(*) from score_snapshot) as "2",
         (select count(*) from subject_link) as "4", (select count(*) from freeze_fact) as "7", 1 as "9"`,
    );
    expect(await leavesByKind(db)).toEqual(facts);
    expect(facts).toMatchObject({ 1: 28, 4: 4, 7: 4 });
    const leaves = await db.query<{ leafIndex: number }>(
      'select leaf_index from log_fact order by leaf_index',
    );
    expect(leaves.map(({ leafIndex }) => leafIndex)).toEqual(leaves.map((_, index) => index));
  });

  test('a test event is never logged', async () => {
    const before = await leavesByKind(db);
    const { platformId } = await bench.add();
    await append(bench.ledger, [outcome()], { ...reporter, platformId, livemode: false });
    await bench.recompute();
    await logAll(db);
    expect(await leavesByKind(db)).toEqual(before);
  });

  test('the checkpoint signs the root of exactly these leaves', async () => {
    const subject = await bench.addWith(5);
    await bench.recompute();
    await logAll(db);
    await bench.report(subject, [good, good]);
    const checkpoint = await logAll(db);
    const leaves = await db.query<{ d: Buffer }>('select d from log_fact order by leaf_index');
    const { size, root, origin } = parseCheckpoint(parseNote(checkpoint?.note ?? '').text);
    expect({ size, origin }).toEqual({ size: leaves.length, origin: 'reliability.example/log' });
    expect(Buffer.from(root)).toEqual(Buffer.from(rootOf(leaves.map(({ d }) => leafHash(d)))));
  });

  test('events whose ids contradict their positions are logged by position', async () => {
    const subject = await bench.addWith(2);
    await logAll(db);
    await bench.report(subject, [good, good]);
    // As a process would write whose clock is an hour behind.
    await db.execute('alter table event disable trigger event_never_changed');
    await db.execute(
      `update event set event_id = (overlay(event_id::text placing '0190' from 1 for 4))::uuid where subject_id = $1 and position = 4`,
      [subject.id],
    );
    await db.execute('alter table event enable trigger event_never_changed');
    await logAll(db);
    const rows = await db.query('select 1 from log_fact where subject_id = $1 and kind = 1', [subject.id]);
    expect(rows).toHaveLength(4);
  });

  test("two sequencers by turns continue each other's chains", async () => {
    const [here, there] = [createKnownLog(), createKnownLog()];
    const subject = await bench.addWith(2);
    for (const known of [here, there, here, here, there]) {
      await bench.report(subject, [good, good]);
      await bench.recompute();
      while ((await logBatch(db, 7, known))?.hasMore);
    }
    await logAll(db);
    expect(await logDifferencesIn(db)).toEqual([]);
  });

  test('under pressure the sequencer rests between batches, and takes in everything', async () => {
    const subjects = [await bench.addWith(30), await bench.addWith(3)];
    await bench.recompute();
    await testLogSigner(db);
    const sequencer = createSequencer({
      db,
      clock: systemClock,
      log,
      keys: createKeyRing(db, testVault, systemClock, 'log'),
      origin: ORIGIN,
      head: null,
      needsWitnesses: false,
      onSigned() {},
      isPressed: () => true,
      pollMs: 1000,
    });
    sequencer.start();
    await settledLogOf(db, sequencer.wake);
    await sequencer.stop();
    for (const { id } of subjects) {
      const rows = await db.query('select 1 from log_fact where subject_id = $1', [id]);
      expect(rows.length).toBeGreaterThan(3);
    }
  });

  test('a tree that contradicts a signed checkpoint is never signed', async () => {
    await bench.addWith(3);
    const signed = await logAll(db);
    await db.execute('alter table log_block disable trigger log_block_never_changed');
    await db.execute(`update log_block set hashes = decode(repeat('00', 960), 'hex')`);
    await bench.addWith(1);
    await expect(logAll(db)).rejects.toThrow(/does not contain the log of \d+ that was signed/);
    const [last] = await db.query<{ treeSize: number }>(
      'select max(tree_size) as tree_size from log_checkpoint',
    );
    expect(last?.treeSize).toBe(signed?.treeSize);
  });
});

/** As RFC 9162, 2.1.1 defines it. */
function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  if (leaves.length === 1 && only) return only;
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}
