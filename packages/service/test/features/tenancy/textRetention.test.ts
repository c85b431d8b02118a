import { describe, expect, test } from 'vitest';
import { differencesIn, logDifferencesIn } from '#harness/differencesIn.js';
import { engines } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { tablesWith } from '#harness/tablesWith.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { answered, made } from '../attestation/confirmationFixtures.js';
import { exportAll, once, outcome, report } from '../intake/eventFixtures.js';
import { csvOf, MAPPING, sendImport } from '../intake/importFixtures.js';

const DAY_MS = 86_400_000;
/** In every free text that a platform sends. */
const NEEDLE = 'Zebedee Quill';
/** Tables that have such texts for the time of retention. */
const KEPT = ['activity', 'confirmation', 'event_text', 'import_issue', 'import_job', 'reference_request'];

describe.each(engines)('RETENTION_TEXT_DAYS on %s', (engine) => {
  const clock = { nowMs: Date.now() - 400 * DAY_MS, now: () => new Date(clock.nowMs) };
  const sweep = async () =>
    (await service.request('POST', '/admin/sweeps/retention', { admin: true })).body.affected as number;

  const service = givenService(engine, { clock, env: { RETENTION_TEXT_DAYS: '20' } });

  /** The tables with a row that has the text anywhere. */
  const tablesNaming = (text: string) => tablesWith(service.db, (row) => row.includes(text));

  async function settled(): Promise<void> {
    await service.settle();
    await settledLog(service.db);
  }

  async function everyText(userId: string, key = service.liveKey): Promise<void> {
    const options = { key, ...once(`${userId}-${engine}`) };
    const texts = { metadata: { note: `for ${NEEDLE}` }, transactionValue: 480 };
    await report(service, outcome({ userId, ...texts }), options);
    const request = { userId, counterpartyRef: NEEDLE, counterpartyName: NEEDLE, ...texts };
    const description = `Kitchen of ${NEEDLE}`;
    await answered(service, await made(service, { ...request, description }, { key }), 'confirm');
    await answered(service, await made(service, { ...request, description }, { key }), 'decline');
    const claim = { kind: 'skill', title: 'Fitting', description };
    const body = { userId, claim, counterpartyRef: NEEDLE, counterpartyName: NEEDLE };
    const reference = await service.request('POST', '/references', { key, body });
    expect(reference.status).toBe(201);
    const cancelled = `/references/${reference.body.reference.id}/cancel`;
    expect((await service.request('POST', cancelled, { key })).status).toBe(200);
    const rows = [
      { worker: userId, client: NEEDLE, line: NEEDLE },
      { worker: userId, value: NEEDLE },
    ];
    const imported = await sendImport(service, csvOf(rows), {
      mapping: { ...MAPPING, verifiedBy: { path: 'client', default: NEEDLE } },
      key,
    });
    expect(imported.body).toMatchObject({ createdCount: 1, failedCount: 1 });
    await settled();
  }

  test.each(['live', 'test'] as const)(
    'drops the texts of %s events everywhere, and nothing younger',
    async (mode) => {
      const key = mode === 'live' ? service.liveKey : service.testKey;
      const id = (name: string) => (mode === 'live' ? name : `test:${name}`);
      await everyText(id('ana'), key);
      const before = (await service.request('GET', `/users/${id('ana')}/score`, { key })).body;
      expect(await tablesNaming(NEEDLE)).toContain('event_text');

      clock.nowMs += 19 * DAY_MS;
      await sweep();
      expect(await tablesNaming(NEEDLE)).toEqual(expect.arrayContaining(KEPT));
      await report(service, outcome({ userId: id('bo'), metadata: { note: 'for Younger Person' } }), { key });

      clock.nowMs += 2 * DAY_MS;
      expect(await sweep()).toBeGreaterThan(0);
      expect(await tablesNaming(NEEDLE)).toEqual([]);
      expect(await tablesNaming('Younger Person')).toContain('event_text');
      expect(await sweep()).toBe(0);

      const ofAna = (await exportAll(service, { key })).filter(({ userId }) => userId === id('ana'));
      const dropped = { metadata: null, transactionValue: null, attester: null };
      expect(ofAna).toMatchObject([false, false, true].map((autoImported) => ({ ...dropped, autoImported })));
      const list = await service.request('GET', `/confirmations?userId=${id('ana')}`, { key });
      for (const confirmation of list.body.confirmations)
        expect(confirmation).toMatchObject({ counterpartyRef: '', counterpartyName: null, description: '' });
      const after = (await service.request('GET', `/users/${id('ana')}/score`, { key })).body;
      const { totalEvents, verifiedEvents } = before;
      expect(after).toMatchObject({ totalEvents, verifiedEvents });
      expect(await differencesIn(service.db)).toEqual([]);
      expect(await logDifferencesIn(service.db, clock.now())).toEqual([]);
    },
  );

  test('a request that can still be answered keeps its text', async () => {
    const asked = await made(service, { userId: 'cy', counterpartyName: NEEDLE, expiresInHours: 2160 });
    clock.nowMs += 30 * DAY_MS;
    await sweep();
    expect(await tablesNaming(NEEDLE)).toEqual(['confirmation']);
    expect((await answered(service, asked, 'confirm')).status).toBe(200);
    await sweep();
    expect(await tablesNaming(NEEDLE)).toEqual([]);
  });
});
