import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../../src/kit/db/migrate.js';
import { deleteTexts } from '../../../src/ledger/text/dropTexts.js';
import { engines, openTestDatabase, type TestDatabase } from '../../harness/engines.js';
import { serviceMigrations } from '../../harness/migrationsFolder.js';
import { temporaryMigrations } from '../../kit/db/migrationsFor.js';
import { append, ledgerOn, outcome, reporter } from '../deps.js';

const SUBJECT = '00000000-0000-8000-8000-000000000001';

describe.each(engines)('the text of events on %s', (engine) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  const texts = (externalId: string) =>
    database.db.query(
      `select position, t.metadata::text as metadata, transaction_value, attester
       from event_text t join event using (subject_id, event_id) join subject using (subject_id)
       where external_id = $1 order by position`,
      [externalId],
    );

  test('only an event that has text gets a row, which keeps the text exactly', async () => {
    const by = { reporter, claim: null, remember: () => ({ status: 200, answer: null }) };
    await ledgerOn(database.db).append({
      ...by,
      evidence: { by: 'named', platform: new Set() },
      events: [
        outcome({ externalId: 'texts' }),
        outcome({ externalId: 'texts', transactionValue: 12.5 }),
        outcome({ externalId: 'texts', metadata: { b: 1, a: null } }),
        outcome({ externalId: 'texts', attester: 'Acme', isVerified: true }),
        outcome({ externalId: 'texts', attester: 'Acme', isVerified: false }),
      ],
    });
    expect(await texts('texts')).toEqual([
      { position: 2, metadata: null, transactionValue: 12.5, attester: null },
      { position: 3, metadata: '{"b":1,"a":null}', transactionValue: null, attester: null },
      { position: 4, metadata: null, transactionValue: null, attester: 'Acme' },
    ]);
  });

  test.each([true, false])('a text is never changed and may be deleted (live: %s)', async (livemode) => {
    const externalId = livemode ? 'kept' : 'kept-test';
    const events = [outcome({ externalId, metadata: { note: 'first' } })];
    await append(ledgerOn(database.db), events, { ...reporter, livemode });
    const of = 'where subject_id in (select subject_id from subject where external_id = $1)';
    const change = database.db.execute(`update event_text set metadata = '{}' ${of}`, [externalId]);
    await expect(change).rejects.toThrow(/append-only: UPDATE on event_text/);
    await expect(database.db.execute('truncate event_text')).rejects.toThrow(/append-only/);
    const [subject] = await database.db.query<{ subjectId: string }>(
      'select subject_id from subject where external_id = $1',
      [externalId],
    );
    await database.db.transaction((tx) => deleteTexts(tx, [subject?.subjectId ?? '']));
    expect(await texts(externalId)).toEqual([]);
    expect(await texts('texts')).toHaveLength(3);
  });

  test('an existing ledger keeps its texts', async () => {
    const before = temporaryMigrations();
    const files = readdirSync(serviceMigrations).filter((file) => file < '0019_event_text.sql');
    for (const file of files) copyFileSync(join(serviceMigrations, file), join(before.folder, file));
    const old = await openTestDatabase(engine, { migrations: before.folder });
    try {
      await old.db.execute(
        `insert into event (subject_id, event_id, platform_id, livemode, position, event_type, stake_level, is_verified,
           platform_tier, transaction_value, metadata, attester, created_at)
         select $1::uuid, lpad(to_hex(n), 32, '0')::uuid, $1::uuid, n < 3, n, 'CONTRACT_FULFILLED', 'LOW', true, 'STARTER', value,
           metadata, attester, now()
         from (values (1, 1.50, '{"b": 1, "a":null}'::json, 'Acme'), (2, null, null, null), (3, null, null, 'Acme'))
           as event (n, value, metadata, attester)`,
        [SUBJECT],
      );
      await migrate(old.db, serviceMigrations);
      expect(
        await old.db.query(
          'select subject_id, metadata::text as metadata, transaction_value::text as value, attester from event_text order by event_id',
        ),
      ).toEqual([
        { subjectId: SUBJECT, metadata: '{"b": 1, "a":null}', value: '1.50', attester: 'Acme' },
        { subjectId: SUBJECT, metadata: null, value: null, attester: 'Acme' },
      ]);
      expect(await old.db.query('select position from event')).toHaveLength(3);
    } finally {
      await old.close();
      before.remove();
    }
  });
});
