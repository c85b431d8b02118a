import { dayOf } from '@reliability/scoring';
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '#domain/timestamp.js';
import { differencesIn } from '#harness/differencesIn.js';
import { engines } from '#harness/engines.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { queueAgedScores } from '#ledger/recompute/store.js';
import { retentionSweep } from '../../src/features/tenancy/operator/retention.js';
import { good, type Linkable, linkBench } from './linksDeps.js';

/** Days from the start on which the subject has an outcome. */
const OUTCOME_DAYS = new Set([0, 20, 43]);

interface Row {
  no: number;
  month: string;
  reason: string | null;
}

/** Four months of a subject, each day with a score, thinned by retention. Each case is undone after its audit. */
describe.each(engines)('the audit of a history that retention has thinned on %s', (engine) => {
  const own = ownDatabase(engine);
  let subject: Linkable;
  let kept: Row[];
  let now = new Date('2026-01-05T10:00:00.000Z');

  beforeAll(async () => {
    const { db } = own;
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

  const rows = () =>
    own.db.query<Row>(
      `select snapshot_no as no, to_char(computed_at at time zone 'UTC', 'YYYY-MM') as month, reason
       from score_snapshot order by snapshot_no`,
    );
  const audit = async () => (await differencesIn(own.db, undefined, now)).map((line) => line.slice(37));
  const numberOf = (month: string, reason: string | null, nth = 0) =>
    kept.filter((row) => row.month === month && row.reason === reason).at(nth)?.no ?? 0;

  test('finds no difference', async () => {
    expect(kept.length).toBeLessThan(60);
    expect(kept.filter(({ reason }) => reason === null).map(({ no }) => no)).toEqual([1, 21, 44]);
    expect(await audit()).toEqual([]);
  });

  const OF = 'where subject_id = $1 and snapshot_no';
  const DELETE = `delete from score_snapshot ${OF} = $2`;
  const aged = () => numberOf('2026-04', 'decay', -1);
  const behindGap = () => kept.find(({ no }, index) => no > (kept[index - 1]?.no ?? 0) + 1)?.no ?? 0;
  /** Each is about one snapshot, $2. */
  const changes: Record<string, [change: string, no: () => number, says: string]> = {
    'a deletion of the first score': [
      DELETE,
      () => 1,
      'snapshots 1 to 20: missing, and the first one never shows ageing only',
    ],
    'a deletion of a score that changed by an event': [
      DELETE,
      () => numberOf('2026-02', null),
      'snapshot \\d+: its reason is decay, and it counts events that the one before does not',
    ],
    'a deletion of the last score of a month': [
      DELETE,
      () => numberOf('2026-02', 'decay', -1),
      'snapshots \\d+ to \\d+: missing, and no later one of their month shows ageing',
    ],
    'a deletion of a score of the last thirty days': [
      DELETE,
      () => numberOf('2026-04', 'decay'),
      'snapshot \\d+: missing, and not old enough for retention',
    ],
    'a deletion of all that is behind a gap': [
      `delete from score_snapshot ${OF} > $2`,
      () => numberOf('2026-02', null),
      'snapshots \\d+ to \\d+: missing, and no later one of their month shows ageing',
    ],
    'that more scores are missing than there were days': [
      `update score_snapshot set snapshot_no = snapshot_no + 1000 ${OF} > $2`,
      () => numberOf('2026-01', null),
      'snapshots \\d+ to \\d+: missing, and that is more than one a day',
    ],
    'a score before that no day between gives': [
      `update score_snapshot set previous_score = 77 ${OF} = $2`,
      behindGap,
      'snapshot \\d+: previous_score is 77, which was the score of no day since the snapshot before',
    ],
    'a mark of retention on a young score': [
      `update score_snapshot set is_kept = true ${OF} = $2`,
      aged,
      'snapshot \\d+: is_kept is true, though it is not old',
    ],
    ...Object.fromEntries(
      [
        ['null', 'null (events), and it counts no event more'],
        [`'linked'`, 'linked, and its subject was never linked'],
        [`'unlinked'`, 'unlinked, and its subject was never linked'],
        [`'velocity_cleared'`, 'velocity_cleared, and no freeze has ended before it'],
        [`'because'`, 'because, and no such reason exists'],
      ].map(([reason, says = '']) => [
        `a score of ageing whose reason becomes ${reason}`,
        [
          `update score_snapshot set reason = ${reason} ${OF} = $2`,
          aged,
          `snapshot \\d+: its reason is ${says.replace(/[()]/g, '\\$&')}`,
        ],
      ]),
    ),
  };

  test.each(Object.entries(changes))('reports %s', async (_, [change, no, says]) => {
    await own.db.execute(change, [subject.id, no()]);
    const found = await audit();
    await own.db.execute('delete from score_snapshot');
    await own.db.execute('insert into score_snapshot select * from kept_snapshot');
    expect(found).toContainEqual(expect.stringMatching(`^${says}$`));
  });
});
