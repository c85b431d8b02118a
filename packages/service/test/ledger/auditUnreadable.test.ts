import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { engines, openTestDatabase, type TestDatabase } from '#harness/engines.js';
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
  let database: TestDatabase;
  let db: Database;
  let subject: Linkable;
  let intact: Linkable;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    db = database.db;
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
  afterAll(() => database.close());

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

  async function audit(): Promise<string[]> {
    const ofLog: string[] = [];
    const ofLedger = await differencesIn(db);
    await auditLog(db, {
      now: systemClock.now(),
      onDifference: (what, subjectId) => ofLog.push(`${subjectId ?? 'log'} ${what}`),
    });
    return [...ofLedger, ...ofLog].sort();
  }

  const OF = 'where subject_id = $1';
  const broken = `('{"broken' || '')::json`;
  const damages: { about: string; damage: string; says: readonly RegExp[] }[] = [
    {
      about: 'an event that was completed at infinity',
      damage: `update event set completed_at = 'infinity' ${OF} and position = 1`,
      says: [
        /^event [\w-]+: it cannot be read: completed_at is out of range: Infinity$/,
        /^the event at position 1 cannot be read \(.*\), so it is not the fact that leaf \d+ holds$/,
      ],
    },
    {
      about: 'an event of the year 294276',
      damage: `update event set created_at = '294276-12-31T23:00:00Z' ${OF} and position = 2`,
      says: [
        /^event [\w-]+: it cannot be read: created_at is out of range: Invalid Date$/,
        /^the event at position 2 cannot be read /,
      ],
    },
    {
      about: 'an event of an unknown type',
      damage: `update event set event_type = 'PERFECT' ${OF} and position = 2`,
      says: [
        /^event [\w-]+: it cannot be read: event_type is out of range: PERFECT$/,
        /^the event at position 2 is not the fact that leaf \d+ holds$/,
      ],
    },
    {
      about: 'an event without a stake',
      damage: `update event set stake_level = null ${OF} and position = 5`,
      says: [/^event [\w-]+: it cannot be read: stake_level is out of range: null$/],
    },
    {
      about: 'metadata that is not JSON',
      damage: `update event_text set metadata = ${broken} ${OF}`,
      says: [/^the event at position 3 cannot be read \(.*JSON.*\), so it is not the fact/],
    },
    {
      about: 'a snapshot whose components are not JSON',
      damage: `update score_snapshot set components = ${broken} ${OF} and snapshot_no = 1`,
      says: [/^snapshot 1: it cannot be read: components is not JSON: \{"broken$/],
    },
    {
      about: 'a snapshot that rests on a list',
      damage: `update score_snapshot set positions = '[1]' ${OF} and snapshot_no = 2`,
      says: [/^snapshot 2: it cannot be read: positions is out of range: \[1\]$/],
    },
    {
      about: 'a snapshot of a day that no calendar has',
      damage: `update score_snapshot set as_of = 2147483647 ${OF} and snapshot_no = 1`,
      says: [
        /^snapshot 1: it cannot be read: as_of is out of range: 2147483647$/,
        /^snapshot 1 (cannot be read|is not the fact)/,
      ],
    },
    {
      about: 'a snapshot that is no number',
      damage: `update score_snapshot set final_score = 'NaN' ${OF} and snapshot_no = 1`,
      says: [/^snapshot 1: it cannot be read: final_score is out of range: NaN$/],
    },
    {
      about: 'a score whose explanation is not JSON',
      damage: `update score set detail = ${broken} ${OF}`,
      says: [/^score: it cannot be read: detail is not JSON: \{"broken$/],
    },
    {
      about: 'a score that was frozen before time began',
      damage: `update score set frozen_at = '-infinity' ${OF}`,
      says: [/^score: it cannot be read: frozen_at is out of range: -Infinity$/],
    },
    {
      about: 'a subject of an unknown kind',
      damage: `update subject set subject_type = 'ROBOT' ${OF}`,
      says: [/^subject: it cannot be read: subject_type is out of range: ROBOT$/],
    },
    {
      about: 'a subject that was registered at infinity',
      damage: `update subject set registered_at = 'infinity' ${OF}`,
      says: [/^subject: it cannot be read: registered_at is out of range: Infinity$/],
    },
    {
      about: 'a dispute whose window never ends',
      damage: `update dispute set respond_by = 'infinity' ${OF}`,
      says: [
        /^dispute [\w-]+: it cannot be read: respond_by is out of range: Infinity$/,
        /^the fact dispute \d+ is not the fact that leaf \d+ holds$/,
      ],
    },
    {
      about: 'a dispute that has another status',
      damage: `update dispute set status = 'MAYBE' ${OF}`,
      says: [/^dispute [\w-]+: it cannot be read: status is out of range: MAYBE$/],
    },
    {
      about: 'a declaration whose facts are not JSON',
      damage: `insert into declaration_fact (subject_id, number, platform_id, livemode, is_own, facts, after_position, declared_at)
        select subject_id, 1, platform_id, true, false, ${broken}, 0, now() from subject ${OF}`,
      says: [/^declaration 1: it cannot be read: facts is not JSON: \{"broken$/],
    },
    {
      about: 'a leaf of one byte',
      damage: `update log_fact set d = '\\x00' ${OF} and kind = 1 and ref = 1`,
      says: [/^the event at position 1 is not the fact that leaf \d+ holds$/],
    },
    {
      about: 'a salt of one byte',
      damage: `update log_fact set salt = '\\x00' ${OF} and kind = 1 and ref = 1`,
      says: [/^the event at position 1 is not the fact that leaf \d+ holds$/],
    },
    {
      about: 'a leaf far outside of the tree',
      damage: `update log_fact set leaf_index = 9007199254740993 ${OF} and kind = 1 and ref = 1`,
      says: [/exceeds 2\^53 - 1$/],
    },
    {
      about: 'a checkpoint without a text',
      damage: `update log_checkpoint set note = '' where $1::uuid is not null`,
      says: [/^the checkpoint of \d+ leaves cannot be read: /],
    },
    {
      about: 'a key of the log that is not one',
      damage: `update log_note set fact = '{"kind": "logKey", "vkey": "none"}' where $1::uuid is not null`,
      says: [/^the key none of the log cannot be read: /, /is signed by a key that the log does not name$/],
    },
    {
      about: 'a note of the log that is not JSON',
      damage: `update log_note set fact = ${broken} where $1::uuid is not null`,
      says: [/^the facts about the log itself cannot be read: /],
    },
  ];

  test.each(damages)('$about is named, and all others are audited', async ({ damage, says }) => {
    await db.execute('update tally set count = 7 where subject_id = $1', [intact.id]);
    await db.execute('update event set is_verified = false where subject_id = $1 and position = 1', [
      intact.id,
    ]);
    const elsewhere = await audit();
    expect(elsewhere.filter((line) => line.includes('count is 7, rebuilt'))).not.toEqual([]);
    expect(elsewhere.filter((line) => line.includes('is not the fact that leaf'))).not.toEqual([]);
    await db.execute(damage, [subject.id]);
    const found = await audit();
    const own = found.filter((line) => !elsewhere.includes(line)).map((line) => line.replace(/^\S+ /, ''));
    for (const sentence of says) expect(own).toContainEqual(expect.stringMatching(sentence));
    expect(found).toEqual(expect.arrayContaining(elsewhere));
  });

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
  const over = <Target extends object>(target: Target, own: object): Target =>
    new Proxy(target, {
      get(of, name) {
        const value = Reflect.get({ ...own }, name) ?? Reflect.get(of, name);
        return typeof value === 'function' ? value.bind(of) : value;
      },
    });
  return over(db, {
    view: (work: (tx: Tx) => Promise<unknown>) =>
      db.view((tx) =>
        work(
          over(tx, {
            query: (text: string, values: readonly unknown[] = [], ...rest: never[]) => {
              const ids = values[0];
              if (text.includes('from tally') && Array.isArray(ids) && ids.includes(subjectId)) throw error;
              return tx.query(text, values, ...rest);
            },
          }),
        ),
      ),
  });
}
