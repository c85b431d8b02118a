import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasPostgres, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { heldTransaction } from '#harness/heldTransaction.js';
import type { Tx } from '#kit/db/database.js';
import type { Ledger } from '#ledger/append/append.js';
import { readMembers, takeQueued } from '#ledger/recompute/store.js';
import { resetTestData } from '#ledger/resetTestData.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { addPlatform, ledgerOn, outcome, reporter } from '../../ledger/deps.js';

const { platformId } = reporter;
const inTest = { ...reporter, livemode: false };
const SUBJECT = subjectIdOf(platformId, false, 'worker-1');

/** The embedded database has one connection, so that nothing overtakes anything there. */
describe.runIf(hasPostgres)('a reset of test data beside other transactions', () => {
  let database: TestDatabase;
  let ledger: Ledger;
  const countOf = async (table: string) => (await database.db.query(`select 1 from ${table}`)).length;
  const appendIn = (tx: Tx) => ledger.appendIn(tx, inTest, [outcome()], { by: 'reporter' });
  const resetIn = (tx: Tx) => resetTestData(tx, platformId);
  const takeIn = async (tx: Tx) => {
    await takeQueued(tx, [SUBJECT]);
    return readMembers(tx, [SUBJECT]);
  };
  const append = () => database.db.transaction(appendIn);
  const reset = () => database.db.transaction(resetIn);

  beforeAll(async () => {
    database = await openTestDatabase('postgresql');
    ledger = ledgerOn(database.db);
    await addPlatform(database.db);
  });

  beforeEach(async () => {
    await reset();
    await append();
  });

  afterAll(() => database.close());

  test('a reset waits for a write in progress and deletes its events', async () => {
    const commit = await heldTransaction(database.db, appendIn);
    const resetting = reset();
    await expectStillWaiting(resetting);
    await commit();
    expect(await resetting).toEqual({ subjects: 1, events: 2 });
    expect([await countOf('event'), await countOf('tally')]).toEqual([0, 0]);
  });

  test('a later write waits for the reset and creates its subject again', async () => {
    const commit = await heldTransaction(database.db, resetIn);
    const write = append();
    await expectStillWaiting(write);
    await commit();
    await write;
    expect(await database.db.query('select event_count from subject')).toEqual([{ eventCount: 1 }]);
    expect(await database.db.query('select position from event')).toEqual([{ position: 1 }]);
    expect(await database.db.query('select count from tally')).toEqual([{ count: 1 }]);
  });

  test('a reset waits for a recompute in progress and deletes its score', async () => {
    const takeOne = async (tx: Tx) => expect(await takeIn(tx)).toHaveLength(1);
    const commit = await heldTransaction(database.db, takeOne, writeScore);
    const resetting = reset();
    await expectStillWaiting(resetting);
    await commit();
    await resetting;
    expect([await countOf('subject'), await countOf('score'), await countOf('recompute_queue')]).toEqual([
      0, 0, 0,
    ]);
  });

  test('a later recompute waits for the reset and finds nothing to compute', async () => {
    const commit = await heldTransaction(database.db, resetIn);
    const recompute = database.db.transaction(takeIn);
    await expectStillWaiting(recompute);
    await commit();
    expect(await recompute).toEqual([]);
  });
});

async function writeScore(tx: Tx): Promise<void> {
  await tx.execute(
    `insert into score (subject_id, record_id, platform_id, livemode, final_score, score_band, confidence,
       confidence_label, behavioral_quality, total_events, verified_events, own_events, own_verified_events, detail,
       formula_version, as_of, position, snapshot_no, computed_at, external_id, search_text, subject_type,
       registered_at)
     values ($1, $1, $2, false, 40, 'Building', 0.2, 'low', 80, 1, 1, 1, 1, '{}', '5.3', 20000, 1, 1, now(), 'worker-1',
       'WORKER-1', 'PERSON', now())`,
    [SUBJECT, platformId],
  );
}

async function expectStillWaiting(work: Promise<unknown>): Promise<void> {
  const pause = new Promise((resolve) => setTimeout(resolve, 150, 'still waiting'));
  expect(await Promise.race([work, pause])).toBe('still waiting');
}
