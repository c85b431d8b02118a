import { describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { deleteTexts } from '#ledger/text/dropTexts.js';
import { append, ledgerOn, outcome, reporter } from '../deps.js';

describe.each(engines)('the text of events on %s', (engine) => {
  const database = ownDatabase(engine);

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
});
