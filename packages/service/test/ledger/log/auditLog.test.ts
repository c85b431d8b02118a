import { beforeAll, describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { systemClock } from '#kit/clock.js';
import type { Database } from '#kit/db/database.js';
import { auditLog } from '#ledger/log/audit/auditLog.js';
import { good, type Linkable, linkBench } from '../linksDeps.js';
import { logAll } from './logDeps.js';

/** The owner of the database can do everything. Each case is undone after its audit. */
describe.each(engines)('the audit of the log on %s', (engine) => {
  const own = ownDatabase(engine);
  let db: Database;
  let subject: Linkable;

  beforeAll(async () => {
    db = own.db;
    const bench = linkBench(db);
    subject = await bench.addWith(20);
    const other = await bench.addWith(17);
    await bench.report(other, [
      {
        ...good,
        completedAt: new Date('2026-02-03T04:05:06.078Z'),
        dueDate: new Date(0),
        metadata: { note: 'text "ü"', big: 1, none: null },
        transactionValue: 12.5,
      },
    ]);
    await bench.recompute();
    await logAll(db);
    await bench.link(subject, other);
    await bench.report(subject, [good, { ...good, metadata: { order: { b: 1, a: 2 } } }]);
    await bench.recompute();
    await logAll(db);
    for (const table of tables) {
      await db.execute(`alter table ${table} disable trigger user`);
      await db.execute(`create table kept_${table} as select * from ${table}`);
    }
  });

  async function audit(now = systemClock.now()): Promise<string[]> {
    const found: string[] = [];
    await auditLog(db, {
      now,
      onDifference: (what, subjectId) => found.push(`${subjectId ? 'subject' : 'log'}: ${what}`),
    });
    return found;
  }

  test('finds nothing in an untouched log, and counts every leaf', async () => {
    expect(await audit()).toEqual([]);
    const summary = await auditLog(db, { now: systemClock.now(), onDifference() {} });
    const [rows] = await db.query<{ leaves: number }>('select count(*) as leaves from log_fact');
    expect(summary).toMatchObject({ leaves: rows?.leaves, facts: rows?.leaves, checkpoints: 2, waiting: 0 });
  });

  test('counts facts that wait in the queue, and reports those that nothing queues', async () => {
    await linkBench(db).report(subject, [good]);
    expect(await audit()).toEqual([]);
    await db.execute('delete from log_queue');
    expect(await audit()).toEqual([
      'subject: the event at position 23 is not in the log and not queued for it',
    ]);
    await db.execute('delete from event where subject_id = $1 and position = 23', [subject.id]);
  });

  const OF = 'where subject_id = $1 and';
  const LEAF = `${OF} kind = 1 and ref`;
  const TEXT_IS_OTHER = /^subject: the event at position 22 is not the fact that leaf \d+ holds$/;
  const OLDEST = `tree_size = (select min(tree_size) from log_checkpoint) and $1 <> ''`;
  /** An erasure of the subject, which counts so many events. */
  const erasure = (events: string) =>
    `insert into erasure (subject_id, platform_id, livemode, at, events)
     select subject_id, platform_id, true, now(), ${events} from subject where subject_id = $1`;
  const tamperings: Record<string, [damage: string, ...says: RegExp[]]> = {
    'a deleted event': [
      `delete from event ${OF} position = 4`,
      /^subject: leaf \d+ is the event at position 4, which is missing$/,
    ],
    'a deleted end of a ledger': [
      `delete from event ${OF} position > 20`,
      /the event at position 21, which is missing$/,
      /the event at position 22, which is missing$/,
    ],
    'a changed date': [
      `update event set completed_at = now() ${OF} position = 5`,
      /^subject: the event at position 5 is not the fact that leaf \d+ holds$/,
    ],
    'a changed text': [`update event_text set metadata = '{"big":1}' where subject_id = $1`, TEXT_IS_OTHER],
    'a deleted text': ['delete from event_text where subject_id = $1', TEXT_IS_OTHER],
    'a changed text beside the hash of the one before': [
      `with remains as (
        insert into event_text_hash (subject_id, event_id, text_hash)
        select subject_id, event_id, sha256(salt || convert_to('{"metadata":{"big":1,"note":"text"}}', 'UTF8'))
        from event_text join event using (subject_id, event_id) join log_fact f using (subject_id)
        where subject_id = $1 and f.kind = 1 and f.ref = position
      ) update event_text set metadata = '{"note":"other","big":1}' where subject_id = $1`,
      TEXT_IS_OTHER,
    ],
    'a text that was added later': [
      `insert into event_text (subject_id, event_id, metadata)
        select subject_id, event_id, '{"note":"new"}' from event ${OF} position = 21`,
      /^subject: the event at position 21 is not the fact that leaf \d+ holds$/,
    ],
    'two swapped events': [
      `update event set position = 9 - position ${OF} position in (4, 5)`,
      /the event at position 4 is not the fact/,
      /the event at position 5 is not the fact/,
    ],
    'a dropped salt of a subject that nobody erased': [
      `update log_fact set salt = null ${LEAF} = 3`,
      /^subject: leaf \d+, the event at position 3, has lost its salt without an erasure$/,
    ],
    'an erasure that is not in the log': [
      erasure('event_count'),
      /^subject: the fact erasure 1 is not in the log and not queued for it$/,
    ],
    'an erasure of a subject with more leaves than it counts': [
      erasure('21'),
      /^subject: the erasure counts 21 events, and the log has 22 of the subject$/,
    ],
    'an erasure that counts more events than the log has': [
      erasure('23'),
      /^subject: the erasure counts 23 events, and the log has 22 of the subject$/,
    ],
    'an event that was logged long after it was recorded': [
      `update log_fact set complete_until = (
          select created_at + interval '40 days' from event ${OF} position = 3
        ) ${LEAF} = 3`,
      /^subject: event [0-9a-f-]+ was logged 40 days after it was recorded, as leaf \d+$/,
      /^subject: the event at position 3 is not the fact that leaf \d+ holds$/,
      /^log: the time until which the log is complete goes back near leaf \d+$/,
    ],
    'a changed chain': [
      `update log_fact set chain = decode(repeat('00', 32), 'hex') ${LEAF} = 20`,
      /^subject: the chain of leaf \d+, the event at position 20, does not continue the one before$/,
      /^subject: snapshot 1 is not the fact that leaf \d+ holds$/,
    ],
    'a snapshot that counts fewer events of a linked subject': [
      `update score_snapshot set positions = (
          select json_object_agg(key, case key when $1::text then value::integer else 1 end) from json_each_text(positions)
        ) where subject_id = $1::uuid and snapshot_no = (select max(snapshot_no) from score_snapshot where subject_id = $1::uuid)`,
      /^subject: snapshot \d+ is not the fact that leaf \d+ holds$/,
    ],
    'a changed salt': [
      `update log_fact set salt = decode(repeat('00', 16), 'hex') ${LEAF} = 3`,
      /the event at position 3 is not the fact/,
    ],
    'a changed snapshot': [
      `update score_snapshot set final_score = final_score + 1 ${OF} snapshot_no = 1`,
      /^subject: snapshot 1 is not the fact that leaf \d+ holds$/,
    ],
    'a deleted snapshot': [
      `delete from score_snapshot ${OF} snapshot_no = 1`,
      /^subject: leaf \d+ is snapshot 1, which is missing$/,
    ],
    'a changed link': [
      `update subject_link set at = now() ${OF} position = 1`,
      /^subject: the fact link 1 is not the fact that leaf \d+ holds$/,
    ],
    'a changed event with a commitment that fits': [
      `update log_fact set d = decode(repeat('11', 32), 'hex') ${LEAF} = 22`,
      /has another root than its leaves give/,
      /the stored hashes of block/,
      TEXT_IS_OTHER,
    ],
    'a truncated log': [
      `delete from log_fact where leaf_index >= (select max(leaf_index) - 1 from log_fact) and $1 <> ''`,
      /the tree has \d+ leaves, and \d+ are stored/,
      /a checkpoint of \d+ leaves was signed, and the log has/,
    ],
    'a missing leaf': [
      `delete from log_fact ${LEAF} = 2`,
      /leaves \d+ to \d+ are missing; later ones cannot be audited/,
      /position 2 is not in the log and not queued/,
    ],
    'a replaced checkpoint': [
      `update log_checkpoint set root = decode(repeat('22', 32), 'hex') where ${OLDEST}`,
      /has another root than its leaves give/,
      /was signed for another tree/,
    ],
    'a forged signature': [
      `update log_checkpoint set note = replace(note, E'\\n\\n', E'\\nextra\\n\\n') where ${OLDEST}`,
      /has an invalid signature/,
    ],
  };

  test.each(Object.entries(tamperings))('finds %s', async (_, [damage, ...says]) => {
    await db.execute(damage, [subject.id]);
    const found = await audit();
    for (const table of tables) {
      await db.execute(`delete from ${table}`);
      await db.execute(`insert into ${table} select * from kept_${table}`);
    }
    for (const sentence of says) expect(found).toContainEqual(expect.stringMatching(sentence));
    expect(await audit()).toEqual([]);
  });

  test('finds a log without any checkpoint, though nothing says that it was signed', async () => {
    await db.execute('create table kept_state as select signed_head from log_state');
    await db.execute('delete from log_checkpoint');
    await db.execute('update log_state set signed_head = null');
    const [young, old] = [await audit(), await audit(new Date(Date.now() + 11 * 60_000))];
    await db.execute('insert into log_checkpoint select * from kept_log_checkpoint');
    await db.execute('update log_state set signed_head = kept_state.signed_head from kept_state');
    expect(young).toEqual([]);
    expect(old).toEqual([expect.stringMatching(/^log: the log has \d+ leaves and no signed checkpoint$/)]);
    expect(await audit()).toEqual([]);
  });
});

const tables = [
  'event',
  'event_text',
  'event_text_hash',
  'score_snapshot',
  'log_fact',
  'log_block',
  'log_checkpoint',
  'subject_link',
  'erasure',
];
