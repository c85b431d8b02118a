import { dayOf } from '@reliability/scoring';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { engines, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import type { Database } from '#kit/db/database.js';
import { queueAgedScores } from '#ledger/recompute/store.js';
import { retentionSweep } from '../../src/features/tenancy/operator/retention.js';
import { good, type Linkable, linkBench } from './linksDeps.js';

const DAY_MS = 86_400_000;
/** Days from the start on which the subject has an outcome. */
const OUTCOME_DAYS = new Set([0, 20, 43]);

interface Row {
  no: number;
  month: string;
  reason: string | null;
}

/** Four months of a subject, each day with a score, thinned by retention. Each case is undone after its audit. */
describe.each(engines)('the audit of a history that retention has thinned on %s', (engine) => {
  let database: TestDatabase;
  let db: Database;
  let subject: Linkable;
  let kept: Row[];
  let now = new Date('2026-01-05T10:00:00.000Z');

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    db = database.db;
    const bench = linkBench(db, { now: () => now });
    subject = await bench.add();
    for (let day = 0; day < 115; day += 1) {
      await queueAgedScores(db, dayOf(now), null, 100, now);
      if (OUTCOME_DAYS.has(day)) await bench.report(subject, [good, good]);
      await bench.recompute();
      now = new Date(now.getTime() + DAY_MS);
    }
    expect(await rows()).toHaveLength(115);
    await retentionSweep(db)(now, new AbortController().signal);
    kept = await rows();
    await db.execute('alter table score_snapshot disable trigger user');
    await db.execute('create table kept_snapshot as select * from score_snapshot');
  });
  afterAll(() => database.close());

  const rows = () =>
    db.query<Row>(
      `select snapshot_no as no, to_char(computed_at at time zone 'UTC', 'YYYY-MM') as month, reason
       from score_snapshot order by snapshot_no`,
    );
  const audit = async () => (await differencesIn(db, undefined, now)).map((line) => line.slice(37));
  const numberOf = (month: string, reason: string | null, nth = 0) =>
    kept.filter((row) => row.month === month && row.reason === reason).at(nth)?.no ?? 0;

  test('finds no difference', async () => {
    expect(kept.length).toBeLessThan(60);
    expect(kept.filter(({ reason }) => reason === null).map(({ no }) => no)).toEqual([1, 21, 44]);
    expect(await audit()).toEqual([]);
  });

  const deletions: { about: string; number: () => number; says: RegExp }[] = [
    {
      about: 'the first score',
      number: () => 1,
      says: /^snapshots 1 to 20: missing, and the first one never shows ageing only$/,
    },
    {
      about: 'a score that changed by an event',
      number: () => numberOf('2026-02', null),
      says: /^snapshot \d+: its reason is decay, and it counts events that the one before does not$/,
    },
    {
      about: 'the last score of a month',
      number: () => numberOf('2026-02', 'decay', -1),
      says: /^snapshots \d+ to \d+: missing, and no later one of their month shows ageing$/,
    },
    {
      about: 'a score of the last thirty days',
      number: () => numberOf('2026-04', 'decay'),
      says: /^snapshot \d+: missing, and not old enough for retention$/,
    },
  ];

  test.each(deletions)('a deletion of $about is reported', async ({ number, says }) => {
    await db.execute('delete from score_snapshot where subject_id = $1 and snapshot_no = $2', [
      subject.id,
      number(),
    ]);
    expect(await audit()).toContainEqual(expect.stringMatching(says));
    await undo();
  });

  test('a deletion of all that is behind a gap is reported', async () => {
    await db.execute('delete from score_snapshot where subject_id = $1 and snapshot_no > $2', [
      subject.id,
      numberOf('2026-02', null),
    ]);
    expect(await audit()).toContainEqual(
      expect.stringMatching(/^snapshots \d+ to \d+: missing, and no later one of their month shows ageing$/),
    );
    await undo();
  });

  test('more missing scores than there were days are reported', async () => {
    await db.execute(
      'update score_snapshot set snapshot_no = snapshot_no + 1000 where subject_id = $1 and snapshot_no > $2',
      [subject.id, numberOf('2026-01', null)],
    );
    expect(await audit()).toContainEqual(
      expect.stringMatching(/^snapshots \d+ to \d+: missing, and that is more than one a day$/),
    );
    await undo();
  });

  test.each([
    ['null', 'null (events), and it counts no event more'],
    [`'linked'`, 'linked, and its subject was never linked'],
    [`'unlinked'`, 'unlinked, and its subject was never linked'],
    [`'velocity_cleared'`, 'velocity_cleared, and no freeze has ended before it'],
    [`'because'`, 'because, and no such reason exists'],
  ])('a score of ageing whose reason becomes %s is reported', async (reason, says) => {
    const no = numberOf('2026-04', 'decay', -1);
    await db.execute(
      `update score_snapshot set reason = ${reason} where subject_id = $1 and snapshot_no = $2`,
      [subject.id, no],
    );
    expect(await audit()).toContainEqual(`snapshot ${no}: its reason is ${says}`);
    await undo();
  });

  test('a score before that no day between gives is reported', async () => {
    const behindGap = kept.find(({ no }, index) => no > (kept[index - 1]?.no ?? 0) + 1)?.no;
    await db.execute(
      'update score_snapshot set previous_score = 77 where subject_id = $1 and snapshot_no = $2',
      [subject.id, behindGap],
    );
    expect(await audit()).toEqual([
      `snapshot ${behindGap}: previous_score is 77, which was the score of no day since the snapshot before`,
    ]);
    await undo();
  });

  test('a mark of retention on a young score is reported', async () => {
    const no = numberOf('2026-04', 'decay', -1);
    await db.execute('update score_snapshot set is_kept = true where subject_id = $1 and snapshot_no = $2', [
      subject.id,
      no,
    ]);
    expect(await audit()).toEqual([`snapshot ${no}: is_kept is true, though it is not old`]);
    await undo();
  });

  async function undo(): Promise<void> {
    await db.execute('delete from score_snapshot');
    await db.execute('insert into score_snapshot select * from kept_snapshot');
  }
});
