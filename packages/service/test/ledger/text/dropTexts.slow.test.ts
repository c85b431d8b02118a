import { parseVerifierKey, verify } from '@reliability/proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '#domain/timestamp.js';
import { differencesIn, logDifferencesIn } from '#harness/differencesIn.js';
import { engines } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { LOWEST_ID, lowestIdAt } from '#kit/ids.js';
import { createConcentrationLoader, findScoreBasis } from '#ledger/profile/concentrations.js';
import { createOutcomeLoader } from '#ledger/profile/outcomeRecords.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { dropTexts } from '#ledger/text/dropTexts.js';
import { NOBODY_ERASED } from '../deps.js';
import { settledLog } from '../log/logDeps.js';

const MAPPING = Object.fromEntries(
  ['userId', 'eventType', 'isVerified', 'verifiedBy', 'transactionValue', 'stakeLevel'].map((name) => [
    name,
    { path: name },
  ]),
);

describe.each(engines)('texts dropped by age on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine, { env: { BASE_URL: 'https://reliability.example' } });
  });
  afterAll(() => service.close());

  async function report(
    userId: string,
    parties: readonly string[],
    more: object = {},
    key = service.liveKey,
  ) {
    const records = parties.map((verifiedBy) => ({
      userId,
      eventType: 'CONTRACT_FULFILLED',
      isVerified: true,
      verifiedBy,
      transactionValue: 10,
      ...more,
    }));
    const mapping = { ...MAPPING, metadata: { note: { constant: 'Ana from Lisbon' } } };
    const told = await service.request('POST', '/ingest', { body: { records, mapping }, key });
    expect(told.body).toMatchObject({ createdCount: records.length });
    return told.body.results.map(({ eventId }: { eventId: string }) => eventId) as string[];
  }

  async function followed() {
    await service.settle();
    await settledLog(service.db);
  }

  /** Drops everything that may be dropped, in slices of two. */
  async function dropAll(): Promise<number> {
    const range = { afterId: LOWEST_ID, beforeId: lowestIdAt(new Date(Date.now() + DAY_MS)) };
    let total = 0;
    for (;;) {
      const { dropped, lastId } = await service.db.transaction((tx) => dropTexts(tx, range, 2));
      total += dropped;
      if (lastId === null) return total;
      range.afterId = lastId;
    }
  }

  const read = async (path: string) => (await service.request('GET', path)).body;

  /** Everything that depends on the events of a subject, read without what the service has cached. */
  async function derived(userId: string) {
    const subjectId = subjectIdOf(service.platformId, true, userId);
    const basis = await findScoreBasis(service.db, subjectId);
    return {
      score: await read(`/users/${userId}/score`),
      history: await read(`/users/${userId}/score/history`),
      concentration: basis && (await createConcentrationLoader(service.db, NOBODY_ERASED)(basis)),
      outcomes: (await createOutcomeLoader(service.db, NOBODY_ERASED)(subjectId))?.record,
    };
  }

  async function proofOf(userId: string) {
    const proof = await read(`/users/${userId}/score/proof`);
    const logs = await read('!/.well-known/ledger-log.json');
    const vkeys: string[] = [logs, ...logs.otherLogs].map(({ vkey }) => vkey);
    const options = { logKey: vkeys.map(parseVerifierKey), now: new Date(Date.now() + 60_000) };
    expect(await verify(proof, options)).toMatchObject({ ok: true, isComplete: true });
    const [own]: { events: { fact: { textHash: string } }[] }[] = proof.members;
    return own?.events.map(({ fact }) => fact.textHash);
  }

  test('change no figure, receipt or proof, and the audits find nothing', async () => {
    const parties = ['Acme', ' ACME.', 'Bolt', 'Bolt', 'Coda', 'Bolt'];
    const [first = ''] = await report('ana', parties);
    await service.request('POST', '/disputes', { body: { eventId: first, reason: 'late' } });
    await followed();
    const [before, receipt, hashes] = [
      await derived('ana'),
      await read(`/events/${first}/receipt`),
      await proofOf('ana'),
    ];
    expect(before.score.finalScore).toBeGreaterThan(0);
    expect(before.concentration).toMatchObject({ distinctAttesters: 3, onPlatformWord: 0 });
    expect(before.outcomes?.business).toMatchObject({ distinctConfirmingCounterparties: 3 });
    expect(await dropAll()).toBeGreaterThanOrEqual(parties.length);

    expect(await service.db.query('select 1 from event_text')).toEqual([]);
    expect(await derived('ana')).toEqual(before);
    expect((await read(`/events/${first}/receipt`)).fact).toEqual(receipt.fact);
    expect(await proofOf('ana')).toEqual(hashes);
    expect(await read(`/events/${first}`)).toMatchObject({
      isVerified: true,
      metadata: null,
      transactionValue: null,
      attester: null,
    });
    expect(await differencesIn(service.db)).toEqual([]);
    expect(await logDifferencesIn(service.db)).toEqual([]);
  });

  test('a party is the same before and after, in another spelling', async () => {
    await report('bo', ['Acme', 'Bolt']);
    await followed();
    await dropAll();
    await report('bo', ['acme ', 'Coda']);
    await followed();
    const { concentration } = await read('/users/bo/risk');
    expect(concentration).toMatchObject({
      verifiedOutcomes: 4,
      distinctAttesters: 3,
      largestAttesterOutcomes: 2,
      onPlatformWord: 0,
    });
  });

  test('a later score counts dropped events as before', async () => {
    await report('cy', ['Acme', 'Bolt']);
    await followed();
    await dropAll();
    await report('cy-kept', ['Acme', 'Bolt']);
    for (const userId of ['cy', 'cy-kept']) await report(userId, ['Acme'], { stakeLevel: 'HIGH' });
    await followed();
    const [dropped, kept] = [await read('/users/cy/score'), await read('/users/cy-kept/score')];
    expect(dropped).toEqual({ ...kept, userId: 'cy', computedAt: dropped.computedAt });
  });

  test('an erasure deletes the hashes that are left of dropped texts', async () => {
    await report('eve', ['Acme', 'Bolt']);
    await followed();
    await dropAll();
    const subjectId = subjectIdOf(service.platformId, true, 'eve');
    const hashes = () =>
      service.db.query('select event_id from event_text_hash where subject_id = $1', [subjectId]);
    expect(await hashes()).toHaveLength(2);
    expect((await service.request('POST', '/users/eve/erasure')).status).toBeLessThan(300);
    expect(await hashes()).toEqual([]);
  });

  test('the text of a live event stays until the event is in the log; test events have none', async () => {
    await report('dee', ['Acme']);
    await report('test:dee', ['Acme'], {}, service.testKey);
    await followed();
    await service.ledger.transaction(async (tx) => {
      // As before its first round: nothing of the subject is logged.
      await tx.execute('set local session_replication_role to replica'); // no triggers
      await tx.execute(
        `update log_fact set subject_id = gen_random_uuid() where subject_id = (select subject_id from subject where external_id = 'dee')`,
      );
    });
    const left = () =>
      service.db.query(
        'select external_id from event_text join event using (subject_id, event_id) join subject using (subject_id)',
      );
    await dropAll();
    expect(await left()).toEqual([{ externalId: 'dee' }]);
    const score = await service.request('GET', '/users/test:dee/risk', { key: service.testKey });
    expect(score.body.concentration).toMatchObject({ distinctAttesters: 1, onPlatformWord: 0 });
  });
});
