import { parseVerifierKey, verify } from '@reliability/proof';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { answered, made } from '../attestation/confirmationFixtures.js';
import { ANSWER, answerReview, objected, recordToken } from '../attestation/reviewFixtures.js';
import { outcome, report, reportBatch } from '../intake/eventFixtures.js';
import { alias, ask, link, reportOf } from '../subjects/linkFixtures.js';
import { asked, respond, verified } from '../subjects/profileFixtures.js';

const DONE = { eventType: 'CONTRACT_FULFILLED', isVerified: true };

describe.each(breadth)('everything held about a subject on %s', (engine) => {
  const service = givenService(engine, { env: { BASE_URL: 'https://scores.example' } });

  const settled = async () => {
    await service.settle();
    await settledLog(service.db);
  };
  const read = async (token: string, type: 'json' | 'csv' = 'json') =>
    service.request('GET', `!/record/${token}/data.${type}`, { key: null });
  const held = async (userId: string, key?: string) => {
    await settled();
    return read(await recordToken(service, userId, key));
  };
  const linesOf = (text: string) => text.trimEnd().split('\r\n');

  test('the file has each outcome with its receipt, and a stranger verifies it with the key of the log alone', async () => {
    for (const eventType of ['CONTRACT_FULFILLED', 'CONTRACT_BREACHED', 'TRANSACTION_CANCELLED'])
      await report(service, outcome({ userId: 'ana', eventType, isVerified: true, transactionValue: 12.5 }));
    const { status, headers, text, body } = await held('ana');
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="record.json"');
    expect(body).toMatchObject({
      userId: 'ana',
      livemode: true,
      service: 'https://scores.example',
      platform: { id: service.platformId, name: 'Default' },
      score: { totalEvents: 3 },
      linked: null,
      receipts: [],
    });
    expect(body.outcomes).toHaveLength(3);
    expect(body.outcomes[0]).toMatchObject({ eventType: 'CONTRACT_FULFILLED', transactionValue: 12.5 });
    const identity = (await service.request('GET', '!/.well-known/ledger-log.json', { key: null })).body;
    const keys = [identity, ...identity.otherLogs].map(({ vkey }: { vkey: string }) => vkey);
    expect(keys).toContain(body.log.keys[0]);
    const now = new Date(Date.now() + 60_000);
    const verifiedFile = await verify(text, { logKey: body.log.keys.map(parseVerifierKey), now });
    expect(verifiedFile.steps.filter(({ ok }) => ok !== true)).toEqual([]);
    expect(verifiedFile.kind).toBe('held file');
  });

  test('outcomes that the published score does not count have receipts of their own', async () => {
    await report(service, outcome({ userId: 'frozen', ...DONE }));
    await settled();
    await service.db.execute(
      `update score set frozen_at = now() where subject_id = (select subject_id from subject where external_id = 'frozen')`,
    );
    await report(service, outcome({ userId: 'frozen', ...DONE }));
    const { body, text } = await held('frozen');
    expect(body.receipts.length + body.scoreProof.members[0].events.length).toBe(2);
    const { ok, steps } = await verify(text, { logKey: body.log.keys.map(parseVerifierKey) });
    expect(ok).toBe(true);
    expect(steps.at(-1)).toMatchObject({ code: 'outcomesProven', params: { of: 2 } });
  });

  test('the JSON Schema of the file is served, named in it, and holds', async () => {
    const { body } = await held('ana');
    expect(body.schema).toBe('https://scores.example/schemas/held-data.json');
    const { headers, text } = await service.request('GET', '!/schemas/held-data.json', { key: null });
    expect(headers.get('content-type')).toBe('application/schema+json');
    const schema = JSON.parse(text);
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const validate = ajv.compile(schema);
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
    expect(Object.keys(body).sort()).toEqual(Object.keys(schema.$defs.HeldData.properties).sort());
    expect(validate({ ...body, outcomes: [{}] })).toBe(false);
  });

  test('no file has a reference of a counterparty, a private note, or who did not confirm', async () => {
    const confirmed = await made(service, {
      userId: 'eve',
      counterpartyRef: 'acct-one',
      counterpartyName: 'Bar Luna',
      description: 'Note-of-request',
      metadata: { private: 'note-of-event' },
    });
    await answered(service, confirmed, 'confirm');
    const unnamed = await made(service, { userId: 'eve', counterpartyRef: 'acct-two' });
    await answered(service, unnamed, 'confirm');
    const declined = await made(service, {
      userId: 'eve',
      counterpartyRef: 'acct-three',
      counterpartyName: 'Who declined',
    });
    await answered(service, declined, 'decline');
    const claim = { kind: 'employment', title: 'Cook', description: 'note-of-reference' };
    const reference = { userId: 'eve', claim, counterpartyRef: 'acct-four', counterpartyName: 'Chef Ida' };
    await respond(service, await asked(service, reference));
    await service.request('POST', '/users/eve/qualifications', { body: verified() });
    const { text, body } = await held('eve');
    const table = (await read(await recordToken(service, 'eve'), 'csv')).text;
    for (const secret of ['acct-', 'ote-of-', 'Who declined']) {
      expect(text).not.toContain(secret);
      expect(table).not.toContain(secret);
    }
    const namesOf = (rows: { confirmedBy: string | null }[]) => rows.map(({ confirmedBy }) => confirmedBy);
    expect(namesOf(body.outcomes)).toEqual(['Bar Luna', null, null]);
    expect(namesOf(body.confirmations)).toEqual(['Bar Luna', null, null]);
    expect(namesOf(body.references)).toEqual(['Chef Ida']);
    expect(namesOf(body.qualifications)).toEqual(['Chef Ida', 'trade-school']);
  });

  test('of a linked record at another platform it has one line and hashes alone', async () => {
    const own = await alias(service, 'own-side', [DONE]);
    const other = await alias(service, 'far-side', [DONE, DONE, { ...DONE, transactionValue: 31415.5 }]);
    await service.settle();
    expect((await link(service, own, other)).status).toBe(201);
    await settled();
    const alone = await held('own-side', own.platform.live.key);
    const { linked, outcomes } = alone.body;
    expect(linked).toEqual({
      platforms: 1,
      outcomes: 3,
      since: new Date().toISOString().slice(0, 10),
      points: expect.any(Number),
    });
    expect(linked.points).toBeGreaterThan(0);
    expect(outcomes).toHaveLength(1);
    for (const secret of ['far-side', other.platform.id, '31415']) expect(alone.text).not.toContain(secret);
    const { ok } = await verify(alone.text, { logKey: alone.body.log.keys.map(parseVerifierKey) });
    expect(ok).toBe(true);
  });

  test('it has what else is stored: objections with answers, qualifications, projects, disputes, links', async () => {
    const { eventId } = (await report(service, outcome({ userId: 'kim', eventType: 'CONTRACT_BREACHED' })))
      .body;
    await service.request('POST', '/disputes', { body: { eventId } });
    await service.request('POST', '/users/kim/projects', {
      body: { title: 'Mural', url: 'https://kim.example' },
    });
    await service.settle();
    await service.request('POST', '/users/kim/share-token', { body: {} });
    await service.request('POST', '/monitors', { body: { userId: 'kim', belowScore: 15 } });
    const token = await recordToken(service, 'kim');
    const { id } = await objected(service, token, { eventId });
    await answerReview(service, id);
    await settled();
    const { body } = await read(token);
    expect(body).toMatchObject({
      disputes: [{ eventId, status: 'OPEN' }],
      reviews: [
        { eventId, status: 'ANSWERED', outcome: 'UPHELD', answer: ANSWER.text, reviewer: ANSWER.reviewer },
      ],
      projects: [{ title: 'Mural' }],
      monitors: [{ belowScore: 15 }],
      shareTokens: [{ withdrawnAt: null }],
      recordLinks: [{ withdrawnAt: null }],
    });
    expect(body.outcomes.map((each: { disputeId: string }) => each.disputeId)).toEqual(
      Array(2).fill(body.disputes[0].disputeId),
    );
    expect(body.history.length).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain(token);
  });

  test('a request past its window is expired, also before the sweep says so', async () => {
    await made(service, { userId: 'late' });
    await report(service, outcome({ userId: 'late' }));
    await service.db.execute("update confirmation set expires_at = now() where external_id = 'late'");
    expect((await held('late')).body.confirmations).toMatchObject([{ status: 'EXPIRED' }]);
  });

  test('of a test subject there is everything but the log', async () => {
    const key = service.testKey;
    await report(service, outcome({ userId: 'tess', ...DONE }), { key });
    await service.settle();
    const { body } = await held('tess', key);
    expect(body).toMatchObject({ livemode: false, log: null, scoreProof: null, receipts: [] });
    expect(body.outcomes).toHaveLength(1);
  });

  test('the table has one row an outcome, and no cell that a spreadsheet would run', async () => {
    const record = { userId: 'cell', ...DONE, verifiedBy: '=cmd|"/C calc"!A1' };
    const names = Object.keys(record);
    const mapping = Object.fromEntries(names.map((name) => [name, { path: name }]));
    await service.request('POST', '/ingest', { body: { records: [record], mapping } });
    await report(service, outcome({ userId: 'cell', transactionValue: -0 }));
    await settled();
    const { text, headers } = await read(await recordToken(service, 'cell'), 'csv');
    expect(headers.get('content-type')).toContain('text/csv');
    const [head, first, ...others] = linesOf(text);
    expect(head).toBe(
      'eventId,eventType,occurredAt,stakeLevel,isVerified,confirmedBy,transactionValue,dueDate,completedAt,recordedAt,imported,disputeId',
    );
    expect(first).toContain(`,true,"'=cmd|""/C calc""!A1",`);
    expect(others).toHaveLength(1);
  });

  test('a ledger of thousands is read page by page and verified whole', async () => {
    const batch = Array.from({ length: 100 }, (_, i) => ({
      userId: 'busy',
      eventType: i % 9 === 0 ? 'CONTRACT_BREACHED' : 'CONTRACT_FULFILLED',
    }));
    for (let done = 0; done < 2500; done += batch.length) await reportBatch(service, batch);
    const { text, body } = await held('busy');
    expect(body.outcomes).toHaveLength(2500);
    expect(new Set(body.outcomes.map(({ eventId }: { eventId: string }) => eventId)).size).toBe(2500);
    const { ok, steps } = await verify(text, { logKey: body.log.keys.map(parseVerifierKey) });
    expect(ok).toBe(true);
    expect(steps.at(-1)).toMatchObject({ code: 'outcomesProven', params: { of: 2500 } });
    expect(linesOf((await read(await recordToken(service, 'busy'), 'csv')).text)).toHaveLength(2501);
  });

  test('a link that opens nothing has no file', async () => {
    await report(service, outcome({ userId: 'gone' }));
    await service.settle();
    const token = await recordToken(service, 'gone');
    await service.request('POST', '/users/gone/erasure');
    for (const type of ['json', 'csv'] as const) {
      expect((await read(token, type)).status).toBe(404);
      expect((await read(`rl_${'A'.repeat(43)}`, type)).status).toBe(404);
    }
  });

  test('the platform of a linked subject reports on, and its file grows alone', async () => {
    const [own, other] = [await alias(service, 'grow-a', [DONE]), await alias(service, 'grow-b', [DONE])];
    await service.settle();
    await link(service, own, other);
    await reportOf(service, other, DONE);
    await ask(service, own, 'GET', '/score');
    const { body } = await held('grow-a', own.platform.live.key);
    expect(body.outcomes).toHaveLength(1);
    expect(body.linked.outcomes).toBe(2);
    await service.db.execute("update score set frozen_at = now() where external_id = 'grow-a'");
    expect((await held('grow-a', own.platform.live.key)).body.linked).toMatchObject({
      outcomes: 2,
      points: null,
    });
    expect(body.links).toMatchObject([{ action: 'linked' }]);
  });
});
