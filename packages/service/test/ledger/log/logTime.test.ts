import { beforeAll, describe, expect, test } from 'vitest';
import { logDifferencesIn } from '#harness/differencesIn.js';
import { engines } from '#harness/engines.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import type { Database } from '#kit/db/database.js';
import { createKnownLog, type KnownLog, logBatch } from '#ledger/log/batch.js';
import { signCheckpoint } from '#ledger/log/checkpoints.js';
import { noteKey } from '#ledger/log/logKey.js';
import { queuedKinds } from '#ledger/log/queue.js';
import { good, type Linkable, type LinkBench, linkBench } from '../linksDeps.js';
import { queueAll, testLogSigner } from './logDeps.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe.each(engines)('the time until which the log is complete on %s', (engine) => {
  const own = ownDatabase(engine);
  let db: Database;
  let bench: LinkBench;
  let known: KnownLog;
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  const clock = { now: () => new Date(nowMs) };

  beforeAll(async () => {
    db = own.db;
    bench = linkBench(db, clock);
    known = createKnownLog(clock);
    await noteKey(db, await testLogSigner(db, clock), clock.now());
    await look();
  });

  const batch = (by = known, limit = 100) => logBatch(db, limit, by);

  async function look(by = known) {
    let last = await batch(by);
    while (last?.hasMore) last = await batch(by);
    return last;
  }

  async function findings(): Promise<string[]> {
    await signCheckpoint(db, await testLogSigner(db, clock), clock.now(), true);
    return logDifferencesIn(db, clock.now());
  }

  async function completeBefore({ id }: Linkable): Promise<number[]> {
    const rows = await db.query<{ completeUntil: Date }>(
      'select complete_until from log_fact where subject_id = $1 and kind = 1 order by ref',
      [id],
    );
    return rows.map(({ completeUntil }) => completeUntil.getTime());
  }

  test('is when the queue was last found empty, so events that waited for days are not late', async () => {
    await look();
    const emptyMs = nowMs;
    nowMs += MINUTE_MS;
    const subject = await bench.addWith(2);
    nowMs += 3 * DAY_MS;
    await bench.report(subject, [good]);
    await look();
    expect(await completeBefore(subject)).toEqual([emptyMs, emptyMs, emptyMs]);
    nowMs += MINUTE_MS;
    await bench.report(subject, [good]);
    await look();
    expect((await completeBefore(subject)).at(-1)).toBe(nowMs - MINUTE_MS);
    expect(await findings()).toEqual([]);
  });

  test('stays while a backlog takes several batches', async () => {
    await look();
    const emptyMs = nowMs;
    nowMs += MINUTE_MS;
    const subjects: Linkable[] = [];
    for (let i = 0; i < 6; i += 1) subjects.push(await bench.addWith(1));
    for (let i = 0; i < 3; i += 1) {
      nowMs += DAY_MS;
      await batch(known, 2);
    }
    await look();
    for (const subject of subjects) expect(Math.max(...(await completeBefore(subject)))).toBe(emptyMs);
    expect(await findings()).toEqual([]);
  });

  test('does not go back when a process takes over whose clock is behind or that has just started', async () => {
    await look();
    const here = nowMs;
    await bench.addWith(1);
    await look();
    const behind = createKnownLog({ now: () => new Date(here - 5 * MINUTE_MS) });
    for (const by of [behind, createKnownLog(clock), behind, known]) {
      const subject = await bench.addWith(1);
      await look(by);
      expect((await completeBefore(subject))[0]).toBeGreaterThanOrEqual(here);
    }
    expect(await findings()).toEqual([]);
  });

  test('a snapshot that counts linked subjects waits for their events, and holds up nothing else', async () => {
    const [one, other] = [await bench.addWith(1), await bench.addWith(1)];
    await bench.link(one, other);
    await bench.recompute();
    await look();
    await bench.report(other, [good]);
    const held = await db.query<{ subjectId: string; kinds: number }>('select * from log_queue');
    await db.execute('delete from log_queue');
    await bench.recompute();
    await db.execute(
      `update log_queue set subject_ids = array_remove(subject_ids, $1::uuid) where $1 = any(subject_ids)`,
      [other.id],
    );
    await bench.report(one, [good]);
    const snapshots = async () =>
      (await db.query('select 1 from log_fact where subject_id = $1 and kind = 2', [one.id])).length;
    const before = await snapshots();
    expect(await look()).toMatchObject({ hasMore: false, isWaiting: true });
    expect(await snapshots()).toBe(before);
    expect(
      await db.query('select 1 from log_fact where subject_id = $1 and kind = 1', [one.id]),
    ).toHaveLength(2);
    expect(held).toHaveLength(1);
    await db.execute(
      `insert into log_queue (subject_ids, kinds, queued_at) values (array[$1::uuid], ${queuedKinds.all}, now())`,
      [other.id],
    );
    known.queueFrom = '(0,0)';
    expect(await look()).toMatchObject({ isWaiting: false });
    expect(await snapshots()).toBe(before + 1);
  });

  test('shows that a ledger was logged a second time, as a subject that was never in the log', async () => {
    const subject = await bench.addWith(3);
    await look();
    nowMs += 40 * DAY_MS;
    await look();
    await bench.addWith(1);
    await look();
    await db.execute('alter table log_fact disable trigger user');
    await db.execute('alter table event disable trigger user');
    const invented = '0195f3c2-7b1e-8c40-8d21-5f0c9b7a1e34';
    for (const statement of [
      `insert into subject (subject_id, platform_id, livemode, external_id, record_id, event_count, registered_at, is_scored)
       select $2, platform_id, true, null, $2, event_count, registered_at, true from subject where subject_id = $1`,
      `insert into event select (json_populate_record(e, json_build_object('subject_id', $2::text))).* from event e where subject_id = $1`,
      'update log_fact set subject_id = $2, salt = null where subject_id = $1',
      `insert into erasure (subject_id, platform_id, livemode, at, events)
       select $2, platform_id, true, now(), event_count from subject where subject_id = $1`,
    ]) {
      await db.execute(statement, [subject.id, invented]);
    }
    await db.execute('alter table log_fact enable trigger user');
    await db.execute('alter table event enable trigger user');
    await queueAll(db);
    // As after a restart.
    known = createKnownLog(clock);
    await look();
    const found = await findings();
    expect(found).toHaveLength(3);
    for (const what of found) expect(what).toMatch(/^event \S+ was logged 40 days after it was recorded/);
  });
});
