import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { engines } from '#harness/engines.js';
import { over } from '#harness/over.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { systemClock } from '#kit/clock.js';
import type { Database, Tx } from '#kit/db/database.js';
import { auditLedger } from '#ledger/audit/auditLedger.js';
import { auditLog } from '#ledger/log/audit/auditLog.js';
import { good, type Linkable, linkBench } from './linksDeps.js';
import { logAll } from './log/logDeps.js';

const TABLES = [
  'subject',
  'event',
  'event_text',
  'tally',
  'score',
  'score_snapshot',
  'dispute',
  'declaration_fact',
  'freeze_fact',
  'log_fact',
  'log_checkpoint',
  'log_note',
];

/** The owner of the database can store anything. Each case is undone after its audit. */
describe.each(engines)('the audit of a database with a row that cannot be read, on %s', (engine) => {
  const opened = ownDatabase(engine);
  let db: Database;
  let subject: Linkable;
  let intact: Linkable;

  beforeAll(async () => {
    db = opened.db;
    const bench = linkBench(db);
    subject = await bench.addWith(2);
    await bench.report(subject, [
      { ...good, metadata: { note: 'as agreed' } },
      { ...good, eventType: 'TRANSACTION_DISPUTED' },
    ]);
    intact = await bench.addWith(2);
    await bench.recompute();
    await bench.report(subject, [good]);
    await bench.recompute();
    await logAll(db);
    for (const table of TABLES) {
      await db.execute(`alter table ${table} disable trigger user`);
      await db.execute(`create table kept_${table} as select * from ${table}`);
    }
    // With this cast any text can be stored as JSON.
    await db.execute('create cast (text as json) without function');
    await db.execute('alter table event alter column stake_level drop not null');
    await db.execute('alter table dispute drop constraint dispute_status_check');
    await db.execute('alter table subject drop constraint subject_subject_type_check');
    expect(await audit()).toEqual([]);
  });

  afterEach(async () => {
    for (const table of TABLES) {
      const columns = await db.query<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and attgenerated = '' and not attisdropped`,
        [table],
      );
      const names = columns.map(({ name }) => name).join(', ');
      await db.execute(`delete from ${table}`);
      await db.execute(`insert into ${table} (${names}) select ${names} from kept_${table}`);
    }
  });

  const audit = async () => [...(await differencesIn(db)), ...(await logDifferences())].sort();
  const logDifferences = async () => {
    const found: string[] = [];
    const onDifference = (what: string, of = 'log') => found.push(`${of} ${what}`);
    await auditLog(db, { now: systemClock.now(), onDifference });
    return found;
  };

  const broken = `('{"broken' || '')::json`;
  type Column = [table: string, column: string, value: string, where: string, says: string, inLog?: RegExp];
  const columns: Column[] = [
    [
      'event',
      'completed_at',
      `'infinity'`,
      'position = 1',
      'out of range: Infinity',
      /^the event .* cannot be read \(/,
    ],
    [
      'event',
      'created_at',
      `'294276-12-31T23:00Z'`,
      'position = 2',
      'out of range: Invalid Date',
      /^the event .* cannot/,
    ],
    [
      'event',
      'event_type',
      `'PERFECT'`,
      'position = 2',
      'out of range: PERFECT',
      /^the event .* is not the fact/,
    ],
    ['event', 'stake_level', 'null', 'position = 5', 'out of range: null'],
    ['score_snapshot', 'components', broken, 'snapshot_no = 1', 'not JSON: {"broken'],
    ['score_snapshot', 'positions', `'[1]'`, 'snapshot_no = 2', 'out of range: [1]'],
    [
      'score_snapshot',
      'as_of',
      '2147483647',
      'snapshot_no = 1',
      'out of range: 2147483647',
      /^snapshot 1 (cannot|is not)/,
    ],
    ['score_snapshot', 'final_score', `'NaN'`, 'snapshot_no = 1', 'out of range: NaN'],
    ['score', 'detail', broken, 'true', 'not JSON: {"broken'],
    ['score', 'frozen_at', `'-infinity'`, 'true', 'out of range: -Infinity'],
    ['subject', 'subject_type', `'ROBOT'`, 'true', 'out of range: ROBOT'],
    ['subject', 'registered_at', `'infinity'`, 'true', 'out of range: Infinity'],
    [
      'dispute',
      'respond_by',
      `'infinity'`,
      'true',
      'out of range: Infinity',
      /^the fact dispute \d+ is not the fact/,
    ],
    ['dispute', 'status', `'MAYBE'`, 'true', 'out of range: MAYBE'],
  ];

  test.each(columns)('%s.%s = %s where %s is named, and all others are audited', async (...column) => {
    const [table, name, value, where, says, inLog] = column;
    const damage = `update ${table} set ${name} = ${value} where subject_id = $1 and ${where}`;
    const found = await foundAfter(damage);
    const named = found.filter((line) => line.endsWith(`: it cannot be read: ${name} is ${says}`));
    expect(named).toEqual([expect.stringMatching(`^${table.replace('score_', '')}`)]);
    if (inLog) expect(found).toContainEqual(expect.stringMatching(inLog));
  });

  const OF = 'where subject_id = $1';
  const EVENT_IS_OTHER = /^the event at position 1 is not the fact that leaf \d+ holds$/;
  const damages: Record<string, [damage: string, ...says: RegExp[]]> = {
    'metadata that is not JSON': [
      `update event_text set metadata = ${broken} ${OF}`,
      /^the event at position 3 cannot be read \(.*JSON.*\), so it is not the fact/,
    ],
    'a declaration whose facts are not JSON': [
      `insert into declaration_fact (subject_id, number, platform_id, livemode, is_own, facts, after_position, declared_at)
        select subject_id, 1, platform_id, true, false, ${broken}, 0, now() from subject ${OF}`,
      /^declaration 1: it cannot be read: facts is not JSON: \{"broken$/,
    ],
    'a leaf of one byte': [`update log_fact set d = '\\x00' ${OF} and kind = 1 and ref = 1`, EVENT_IS_OTHER],
    'a salt of one byte': [
      `update log_fact set salt = '\\x00' ${OF} and kind = 1 and ref = 1`,
      EVENT_IS_OTHER,
    ],
    'a leaf far outside of the tree': [
      `update log_fact set leaf_index = 9007199254740993 ${OF} and kind = 1 and ref = 1`,
      /exceeds 2\^53 - 1$/,
    ],
    'a checkpoint without a text': [
      `update log_checkpoint set note = '' where $1::uuid is not null`,
      /^the checkpoint of \d+ leaves cannot be read: /,
    ],
    'a key of the log that is not one': [
      `update log_note set fact = '{"kind": "logKey", "vkey": "none"}' where $1::uuid is not null`,
      /^the key none of the log cannot be read: /,
      /is signed by a key that the log does not name$/,
    ],
    'a note of the log that is not JSON': [
      `update log_note set fact = ${broken} where $1::uuid is not null`,
      /^the facts about the log itself cannot be read: /,
    ],
  };

  test.each(Object.entries(damages))(
    '%s is named, and all others are audited',
    async (_, [damage, ...says]) => {
      const found = await foundAfter(damage);
      for (const sentence of says) expect(found).toContainEqual(expect.stringMatching(sentence));
    },
  );

  /** What the audits find beside the faults of another subject, which they find as before. */
  async function foundAfter(damage: string): Promise<string[]> {
    await db.execute('update tally set count = 7 where subject_id = $1', [intact.id]);
    await db.execute(`update event set is_verified = false ${OF} and position = 1`, [intact.id]);
    const elsewhere = await audit();
    expect(elsewhere).toContainEqual(expect.stringContaining('count is 7, rebuilt'));
    expect(elsewhere).toContainEqual(expect.stringContaining('is not the fact that leaf'));
    await db.execute(damage, [subject.id]);
    const found = await audit();
    expect(found).toEqual(expect.arrayContaining(elsewhere));
    return found.filter((line) => !elsewhere.includes(line)).map((line) => line.replace(/^\S+ /, ''));
  }

  test('a subject whose rows are on a damaged page is named, and all others are audited', async () => {
    await db.execute('update tally set count = 7 where subject_id = $1', [intact.id]);
    const elsewhere = await differencesIn(db);
    expect(elsewhere).not.toEqual([]);
    const damaged = Object.assign(new Error('invalid page in block 7'), { code: 'XX001' });
    const found: string[] = [];
    await auditLedger(failing(db, subject.id, damaged), {
      now: systemClock.now(),
      onDifference: (what, subjectId = 'ledger') => found.push(`${subjectId} ${what}`),
    });
    expect(found).toEqual(
      expect.arrayContaining([...elsewhere, `${subject.id} it cannot be read: invalid page in block 7`]),
    );
    const lost = Object.assign(new Error('permission denied'), { code: '42501' });
    const refused = auditLedger(failing(db, subject.id, lost), { now: new Date(), onDifference() {} });
    await expect(refused).rejects.toThrow('permission denied');
  });
});

/** The statement that reads the tallies of a subject fails. */
function failing(db: Database, subjectId: string, error: Error): Database {
  const query =
    (tx: Tx) =>
    (text: string, values: readonly unknown[] = [], ...rest: never[]) => {
      const [ids] = values;
      if (text.includes('from tally') && Array.isArray(ids) && ids.includes(subjectId)) throw error;
      return tx.query(text, values, ...rest);
    };
  const view = (work: (tx: Tx) => Promise<unknown>) => db.view((tx) => work(over(tx, { query: query(tx) })));
  return over(db, { view });
}
