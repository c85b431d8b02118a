import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { over } from '#harness/over.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { sha256 } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import type { IdempotencyClaim } from '#kit/http/route.js';
import { append, ledgerOn, outcome, reporter } from './deps.js';

describe.each(engines)('appending to the ledger on %s', (engine) => {
  let db: Database;
  const own = ownDatabase(engine);
  beforeAll(() => {
    db = own.db;
  });

  test('concurrent requests are written in one transaction, each with its own outcomes', async () => {
    const ledger = ledgerOn(db);
    const answers = await Promise.all(
      [1, 2, 3].map((size) => append(ledger, Array(size).fill(outcome({ externalId: `size-${size}` })))),
    );
    expect(answers.map((answer) => answer.kind === 'recorded' && answer.outcomes.length)).toEqual([1, 2, 3]);
    const xids = await db.query(
      "select distinct xid from event e join subject using (subject_id) where external_id like 'size-%'",
    );
    expect(xids).toHaveLength(1);
  });

  test('concurrent writers leave no gap in the positions of a subject', async () => {
    const ledgers = [ledgerOn(db), ledgerOn(db)];
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        append(ledgers[index % 2] ?? ledgerOn(db), [
          outcome({ externalId: 'busy' }),
          outcome({ externalId: `other-${index % 5}` }),
        ]),
      ),
    );
    const rows = await db.query<{ position: number; eventCount: number }>(
      "select position, event_count from event join subject using (subject_id) where external_id = 'busy' order by position",
    );
    expect(rows.map((row) => row.position)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(rows[0]?.eventCount).toBe(60);
  });

  test('an item that cannot be written does not fail its neighbours', async () => {
    const ledger = ledgerOn(db);
    const bad = outcome({ externalId: 'bad', transactionValue: Number.NaN, dueDate: new Date(8.64e15) });
    const settled = await Promise.allSettled([
      append(ledger, [outcome({ externalId: 'good-1' })]),
      append(ledger, [bad]),
      append(ledger, [outcome({ externalId: 'good-2' })]),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const rows = await db.query("select 1 from subject where external_id in ('good-1', 'bad', 'good-2')");
    expect(rows).toHaveLength(2);
  });

  test('two processes that use one Idempotency-Key at once write one event and get the same answer', async () => {
    const claim = newClaim();
    const once = () => ledgerOn(db).append({ ...request('racer'), claim });
    const answers = await Promise.all([once(), once()]);
    expect(answers.map((answer) => answer.kind).sort()).toEqual(['recorded', 'replayed']);
    expect(await eventsOf('racer')).toBe(1);
  });

  test('keys that another process uses while a group is retried get the answer of that process', async () => {
    const claims = [newClaim(), newClaim()];
    const other = ledgerOn(db);
    const ahead = claims.values();
    const outrun = beforeEachAppend(db, async () => {
      const { value: claim } = ahead.next();
      if (claim) await other.append({ ...request('outrun'), claim });
    });
    const ledger = ledgerOn(outrun);
    const answers = await Promise.all(claims.map((claim) => ledger.append({ ...request('outrun'), claim })));
    expect(answers.map(({ kind }) => kind)).toEqual(['replayed', 'replayed']);
    expect(await eventsOf('outrun')).toBe(2);
  });

  test('the database itself refuses to change, delete or truncate live events', async () => {
    await append(ledgerOn(db), [outcome({ externalId: 'permanent' })]);
    const rows = "(select subject_id from subject where external_id = 'permanent')";
    for (const change of [
      `update event set is_verified = false where subject_id in ${rows}`,
      `delete from event where subject_id in ${rows}`,
      'truncate event',
    ]) {
      await expect(db.execute(change)).rejects.toThrow(/append-only/);
    }
    expect(await eventsOf('permanent')).toBe(1);
  });

  function request(externalId: string) {
    return {
      reporter,
      events: [outcome({ externalId })],
      evidence: { by: 'reporter' } as const,
      remember: () => ({ status: 201, answer: { ok: true } }),
    };
  }

  async function eventsOf(externalId: string): Promise<number> {
    const rows = await db.query(
      'select 1 from event join subject using (subject_id) where external_id = $1',
      [externalId],
    );
    return rows.length;
  }
});

/** The database, with `work` done directly before each statement that writes a group. */
function beforeEachAppend(db: Database, work: () => Promise<void>): Database {
  const query = async (sql: string, values?: readonly unknown[]) => {
    if (sql.includes('insert into idempotency')) await work();
    return db.query(sql, values);
  };
  return over(db, { query });
}

function newClaim(): IdempotencyClaim {
  const { platformId, livemode } = reporter;
  return { keyId: randomUUID(), platformId, livemode, fingerprint: sha256('body'), secret: 'none' };
}
