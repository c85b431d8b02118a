import { createHash } from 'node:crypto';
import { canonicalJson } from '@reliability/proof';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { routeTable } from '#harness/routeTable.js';
import { tablesWith } from '#harness/tablesWith.js';
import { operationsOf } from '#kit/http/route.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { once, outcome } from '../intake/eventFixtures.js';
import {
  givenEraser,
  isAboutPerson,
  leaveTraces,
  PERSON,
  PERSON_PATH,
  type Traces,
} from './erasureFixtures.js';

const ERASED = { status: 410, body: { code: 'SUBJECT_ERASED', retryable: false } };

interface Leaf {
  salt: Buffer;
  d: Buffer;
}

describe.each(breadth)('an erased subject on %s', (engine) => {
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) });
  const eraser = givenEraser(engine, log);
  const { service } = eraser;
  let traces: Traces;
  let at: string;
  let before: string[];
  let othersProof: unknown;
  const erase = () => service.request('POST', `${PERSON_PATH}/erasure`);
  const post = (path: string, body: unknown, options: object = {}) =>
    service.request('POST', path, { body, ...options });
  const proofOf = async (userId: string) =>
    (await service.request('GET', `/users/${userId}/score/proof`)).body;

  beforeAll(async () => {
    await post('/events', outcome({ userId: 'other' }));
    traces = await leaveTraces(eraser);
    await settledLog(service.db);
    othersProof = await proofOf('other');
    before = await tablesWith(service.db, isAboutPerson);
    const answer = await eraser.erase(PERSON);
    expect(answer).toMatchObject({ userId: PERSON, erased: true });
    at = answer.at;
  });

  test('has left traces in many tables before', () => {
    expect(before.length).toBeGreaterThanOrEqual(13);
  });

  test('is in no table any more', async () => {
    expect(await tablesWith(service.db, isAboutPerson)).toEqual([]);
  });

  test('has no open dispute: what was open ended for it, as a lapse with its event', async () => {
    const disputes = await service.db.query(
      `select d.status, d.lapsed, e.event_type from dispute d
       left join event e on e.subject_id = d.subject_id and e.event_id = d.outcome_event_id
       where d.dispute_id = $1`,
      [traces.ids['/disputes']],
    );
    expect(disputes).toEqual([
      { status: 'RESOLVED_FOR_USER', lapsed: true, eventType: 'DISPUTE_RESOLVED_FOR_USER' },
    ]);
  });

  test('is in no line of the log', () => {
    expect(logged.filter(isAboutPerson)).toEqual([]);
  });

  test('is in no answer to a GET', async () => {
    const ids = { ...traces.ids, '/admin/platforms': service.platformId };
    const gets = operationsOf(routeTable()).filter(({ method }) => method === 'GET');
    expect(gets.length).toBeGreaterThan(60);
    for (const { path } of gets) {
      if (path.includes('/stream') || path.includes('{rest}')) continue;
      const own = path.replace('/api/v1', '');
      const [, id = PERSON] = Object.entries(ids).find(([prefix]) => own.startsWith(prefix)) ?? [];
      const filled = path
        .replace('{id}', encodeURIComponent(id))
        .replace('{userId}', encodeURIComponent(PERSON))
        .replace('{deliveryId}', traces.deliveryId)
        .replace('{token}', traces.shareToken)
        .replace(/\{\w+\}/g, '1');
      const options = own.startsWith('/admin') ? { admin: true } : {};
      const answer = await service.request('GET', `!${filled}`, options);
      expect(isAboutPerson(answer.text), `${filled}: ${answer.text}`).toBe(false);
      if (own.startsWith('/users/{id}')) expect(answer, filled).toMatchObject(ERASED);
    }
  });

  test('answers a repetition the same, by platform and operator, and 404 for an unknown id', async () => {
    const expected = { status: 200, body: { userId: PERSON, erased: true, at } };
    expect(await erase()).toMatchObject(expected);
    const twin = `/admin/platforms/${service.platformId}${PERSON_PATH}/erasure`;
    expect(await service.request('POST', twin, { admin: true })).toMatchObject(expected);
    const unknown = await service.request('POST', '/users/nobody-knows/erasure');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
  });

  test('is one entry of the activity log, without an id', async () => {
    const { body } = await service.request('GET', '/activity?action=SUBJECT_ERASED');
    expect(body.activity).toHaveLength(1);
    expect(body.activity[0]).toMatchObject({ action: 'SUBJECT_ERASED', target: null, details: null });
  });

  test('refuses every write that names it', async () => {
    const asked = { userId: PERSON, counterpartyRef: 'client' };
    const condition = { metric: 'score', direction: 'below', threshold: 9 };
    const writes: [string, object][] = [
      ['/events', outcome({ userId: PERSON })],
      ['/confirmations', { ...asked, eventType: 'CONTRACT_FULFILLED', description: 'x' }],
      ['/references', { ...asked, claim: { kind: 'skill', title: 'x' } }],
      ['/agents', { userId: PERSON }],
      ['/businesses', { userId: PERSON, business: { legalName: 'x' } }],
      ['/monitors', { userId: PERSON, belowScore: 10 }],
      ['/policies', { name: 'x', userId: PERSON, condition }],
      [`${PERSON_PATH}/share-token`, {}],
      [`${PERSON_PATH}/link-token`, {}],
      [`${PERSON_PATH}/projects`, { title: 'x', url: 'https://x.example' }],
      ['/disputes', { eventId: traces.ids['/events'] }],
    ];
    for (const [path, body] of writes) expect(await post(path, body), path).toMatchObject(ERASED);
    const repeated = outcome({ userId: PERSON });
    expect(await post('/events', repeated, once('of-the-erased-1'))).toMatchObject(ERASED);
  });

  test('fails alone in a batch, an import, a campaign and a list of ids', async () => {
    const good = outcome({ userId: 'other' });
    const { body } = await post('/events/batch', { events: [{ ...good, userId: PERSON }, good] });
    expect(body).toMatchObject({ createdCount: 1, failedCount: 1 });
    expect(body.results[0].error.code).toBe('SUBJECT_ERASED');
    const mapping = { userId: { path: 'who' }, eventType: { constant: 'CONTRACT_FULFILLED' } };
    const ingested = await post('/ingest', { records: [{ who: PERSON }, { who: 'other' }], mapping });
    expect(ingested.body).toMatchObject({ createdCount: 1, failedCount: 1 });
    const csv = `who\r\n"${PERSON}"\r\nother\r\n`;
    const { id } = (await post('/imports', { csv, mapping })).body;
    const { errors } = (await service.request('GET', `/imports/${id}/errors`)).body;
    expect(errors).toMatchObject([{ row: 1, code: 'SUBJECT_ERASED' }]);
    const scores = (await post('/users/scores', { userIds: [PERSON, 'other'] })).body.scores;
    expect(scores[0]).toMatchObject({ found: false, finalScore: null, erased: true });
    const screening = await post('/screenings', { userIds: [PERSON, 'other'] });
    const { results } = (await service.request('GET', `/screenings/${screening.body.id}/results`)).body;
    expect(results.map(({ userId }: { userId: string }) => userId)).toEqual(['', 'other']);
    expect(await tablesWith(service.db, isAboutPerson)).toEqual([]);
  });

  test('has no open token, credential or link of a counterparty', async () => {
    const anonymous = { key: null };
    for (const path of [`/verify/${traces.shareToken}`, `!/badge/${traces.shareToken}.svg`]) {
      const answer = await service.request('GET', path, anonymous);
      expect([404, 410], path).toContain(answer.status);
    }
    const [, payload = ''] = traces.credential.split('.');
    const { credentialStatus } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const { statusListIndex } = [credentialStatus].flat()[0];
    const revoked = 'select 1 from status_entry where entry_index = $1 and revoked_at is not null';
    expect(await service.db.query(revoked, [Number(statusListIndex)])).toHaveLength(1);
    const page = `!/confirm/${traces.ids['/confirmations']}?token=${traces.confirmationToken}`;
    const shown = await service.request('GET', page, { key: null, headers: { accept: 'text/html' } });
    expect(shown.status).toBe(401);
    expect(shown.text).toContain('had their data deleted');
    const body = { token: traces.confirmationToken, decision: 'confirm' };
    const responded = await post(`/confirmations/${traces.ids['/confirmations']}/respond`, body, anonymous);
    expect(responded.status).toBeGreaterThanOrEqual(400);
    const linked = await post('/users/other/links', { linkToken: traces.linkToken });
    expect(linked.status).toBeGreaterThanOrEqual(400);
  });

  test('stays in the ledger without a person, and as one fact with the number of its event leaves', async () => {
    const summary = await eraser.expectCleanAudits();
    expect(summary.erased).toBeGreaterThan(5);
    const subject = subjectIdOf(service.platformId, true, PERSON);
    const [row, ...others] = await service.db.query<Record<'events' | 'leaves' | 'open', number> & Leaf>(
      `select salt, d, (select count(*) from event where subject_id = $1) as events,
         (select count(*) from log_fact where subject_id = $1 and kind = 1) as leaves,
         (select count(*) from log_fact where subject_id = $1 and salt is not null and kind <> 10) as open
       from log_fact where subject_id = $1 and kind = 10`,
      [subject],
    );
    expect([row?.open, others]).toEqual([0, []]);
    expect(row?.events).toBeGreaterThan(5);
    const fact = { kind: 'erasure', at, subject, events: row?.leaves ?? 0 };
    expect(fact.events).toBeGreaterThan(5);
    const salted = createHash('sha256').update(row?.salt ?? '');
    expect(salted.update(canonicalJson(fact)).digest()).toEqual(row?.d);
  });

  test("leaves others' old proofs valid", async () => {
    const now = await proofOf('other');
    const leafOf = (proof: typeof now) => proof.members[0].events[0];
    expect(leafOf(now)).toEqual(leafOf(othersProof));
    const note = (proof: typeof now) => proof.checkpoint.split('\n');
    const [origin, to] = note(now);
    const log = origin.slice(origin.indexOf('/'));
    const path = `!${log}/consistency?from=${note(othersProof)[1]}&to=${to}`;
    expect((await service.request('GET', path, { key: null })).status).toBe(200);
  });

  test('in test mode, can be used again after a reset', async () => {
    const key = service.testKey;
    const event = outcome({ userId: 'trial' });
    await post('/events', event, { key });
    expect(await service.request('POST', '/users/trial/erasure', { key })).toMatchObject({ status: 200 });
    expect(await post('/events', event, { key })).toMatchObject(ERASED);
    expect((await post('/events', event)).status).toBe(201);
    await service.request('DELETE', '/test/data', { key });
    expect((await post('/events', event, { key })).status).toBe(201);
  });
});
