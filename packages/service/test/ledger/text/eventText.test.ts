import { describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { deleteTexts } from '#ledger/text/dropTexts.js';
import { append, ledgerOn, outcome, reporter } from '../deps.js';

describe.each(engines)('the text of events on %s', (engine) => {
  const database = ownDatabase(engine);

  const texts = (externalId: string) =>
    database.db.query('select from event_text join subject using (subject_id) where external_id = $1', [
      externalId,
    ]);

  test.each([true, false])('a text is never changed and may be deleted (live: %s)', async (livemode) => {
    const externalId = livemode ? 'kept' : 'kept-test';
    const events = [externalId, 'other'].map((id) =>
      outcome({ externalId: id, metadata: { note: 'first' } }),
    );
    await append(ledgerOn(database.db), events, { ...reporter, livemode });
    const of = 'where subject_id in (select subject_id from subject where external_id = $1)';
    const change = database.db.execute(`update event_text set metadata = '{}' ${of}`, [externalId]);
    await expect(change).rejects.toThrow(/append-only: UPDATE on event_text/);
    await expect(database.db.execute('truncate event_text')).rejects.toThrow(/append-only/);
    const subjectId = subjectIdOf(reporter.platformId, livemode, externalId);
    await database.db.transaction((tx) => deleteTexts(tx, [subjectId]));
    expect(await texts(externalId)).toEqual([]);
    expect(await texts('other')).not.toEqual([]);
  });
});
