import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { tablesWith } from '#harness/tablesWith.js';
import { once } from '../intake/eventFixtures.js';
import { DAY_MS } from '../tenancy/keyFixtures.js';
import { givenEraser } from './erasureFixtures.js';

const ERASED = 'Zora-4711-ü';
/** Another one, whose id begins alike. */
const NAMESAKE = `${ERASED}-b`;
const SHORT = '7';
const WATCH = {
  name: `Watch ${ERASED}`,
  userId: 'other',
  condition: { metric: 'score', direction: 'below', threshold: 90 },
};

describe.each(breadth)('the id of an erased subject, as others name it, on %s', (engine) => {
  const eraser = givenEraser(engine, pino({ level: 'silent' }));
  const { service, clock, post, confirmed, erase } = eraser;
  let pending: { id: string; token: string };
  let kept: { confirmation: string; screening: string };
  const keyed = (key: string) => once(`of-the-erased-${key}`);
  const outcome = { userId: 'other', eventType: 'CONTRACT_FULFILLED' };

  async function plant(): Promise<void> {
    const own = { userId: ERASED, eventType: 'CONTRACT_FULFILLED' };
    await post('/events', own);
    await post('/events', { ...outcome, userId: NAMESAKE });
    await post('/events', outcome);
    await eraser.send('PATCH', '/users/other', { displayName: `Wife of ${ERASED}` });
    const asked = {
      ...outcome,
      counterpartyRef: ERASED.toUpperCase(),
      counterpartyName: `Ms ${ERASED}`,
      subjectName: `Friend of ${ERASED}`,
      description: `tiles for ${ERASED}.`,
      metadata: { paidBy: [{ id: ERASED }] },
      returnUrl: `https://x.example/back?client=${ERASED}`,
    };
    await confirmed('confirmation', asked, keyed('confirmed'));
    const open = await post('/confirmations', asked, keyed('open'));
    pending = { id: open.confirmation.id, token: open.confirmationToken };
    const rows = [{ rowKey: `row ${ERASED}`, ...asked }];
    await post('/activation/campaigns', { name: `Spring of ${ERASED}`, rows });
    const claim = { kind: 'skill', title: `Tiles for ${ERASED}`, organization: ERASED, description: ERASED };
    const { description: _, metadata: __, eventType: ___, ...of } = asked;
    await confirmed('reference', { ...of, claim });
    await post('/events', {
      ...outcome,
      metadata: { 'about the client': { [ERASED]: true } },
      transactionValue: 9,
    });
    const mapping = {
      userId: { path: 'who' },
      eventType: { constant: 'CONTRACT_FULFILLED' },
      isVerified: { constant: true },
      verifiedBy: { path: 'client' },
    };
    await post('/ingest', { records: [{ who: 'other', client: `Company (${ERASED})` }], mapping });
    const dated = { ...mapping, completedAt: { path: 'done', transform: 'iso_date' } };
    const csv = `who,client,done\r\nother,${ERASED},never by ${ERASED}\r\nother,somebody,never with ${ERASED.toUpperCase()}\r\n`;
    await post('/imports', { csv, mapping: dated });
    await post('/ingest/mappings', { name: `For ${ERASED}`, mapping });
    const constant = { ...mapping, verifiedBy: { constant: ERASED } };
    await post('/ingest/mappings', { name: 'Constant', mapping: constant });
    const path = '/users/other';
    const url = `https://x.example/${ERASED}`;
    const skill = { eventType: 'SKILL_VERIFIED', isVerified: true, verifiedBy: ERASED };
    await post(`${path}/qualifications`, { ...skill, title: ERASED, issuer: ERASED, url });
    await post(`${path}/projects`, { title: `For ${ERASED}`, url, description: ERASED });
    await post('/screenings', { userIds: ['other'], label: `label-${ERASED}` });
    await post('/policies', WATCH, keyed('policy'));
    await post('/platform/keys', { label: `laptop of ${ERASED}` });
    const roof = { ...outcome, counterpartyRef: NAMESAKE, description: 'roof' };
    const namesake = await post('/confirmations', roof);
    const screening = await post('/screenings', { userIds: ['other'], label: `${SHORT} days` });
    kept = { confirmation: namesake.confirmation.id, screening: screening.id };
    await post('/events', { ...own, userId: SHORT });
    await service.settle();
    const target = 'https://hooks.slack.com/services/T0/B0/x';
    const channel = await post('/notification-channels', { type: 'slack', target });
    await service.request('PATCH', `/notification-channels/${channel.id}`, { body: { isActive: false } });
  }

  // The search has ids in capitals.
  const names = (row: string) =>
    row.toLowerCase().replaceAll(NAMESAKE.toLowerCase(), '').includes(ERASED.toLowerCase());

  beforeAll(async () => {
    const events = ['confirmation.awaiting_response', 'score.updated'];
    await eraser.addWebhook({ events, description: `calls ${ERASED}` });
    await plant();
    clock.aheadMs += 4 * DAY_MS;
    await service.request('POST', '/admin/sweeps/reminders', { admin: true });
    await eventually(async () => {
      const rows = await service.db.query("select 1 from delivery where type <> 'score.updated'");
      return rows.length > 0;
    });
    // As a receiver or a failed worker said it.
    for (const [table, column] of [
      ['notification_channel', 'last_error'],
      ['import_job', 'error'],
      ['screening', 'error'],
      ['delivery', 'response_body'],
    ])
      await service.db.execute(`update ${table} set ${column} = $1`, [`failed for ${ERASED}`]);
  });
  test('is in many tables before, and in none afterwards', async () => {
    expect((await tablesWith(service.db, names)).length).toBeGreaterThanOrEqual(18);
    await erase(ERASED);
    expect(await tablesWith(service.db, names)).toEqual([]);
  });

  test('is in no hash that the database holds the salt of', async () => {
    const { attesterHashOf, readPartySalt } = await import('#ledger/text/eventText.js');
    const salt = await readPartySalt(service.db);
    const guess = attesterHashOf(salt, ERASED).toString('hex');
    expect(await tablesWith(service.db, (row) => row.includes(guess))).toEqual([]);
    const marks = await service.db.query(
      'select 1 from event_text_hash where attester_hash is not null group by attester_hash having count(*) = 2',
    );
    expect(marks.length).toBeGreaterThan(0);
  });

  test("ends the open requests to it, and leaves the others' outcomes counted and the audits clean", async () => {
    const confirmation = (await service.request('GET', `/confirmations/${pending.id}`)).body;
    expect(confirmation).toMatchObject({ status: 'CANCELLED', counterpartyRef: '' });
    const answer = await service.request('POST', `/confirmations/${pending.id}/respond`, {
      key: null,
      body: { token: pending.token, decision: 'confirm' },
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const { body } = await service.request('GET', '/users/other/score');
    expect(body.verifiedEvents).toBe(2);
    await eraser.expectCleanAudits();
  });

  test('does not come back with a retry', async () => {
    const answer = await service.request('POST', '/policies', { body: WATCH, ...keyed('policy') });
    expect(answer).toMatchObject({ status: 410, body: { code: 'SUBJECT_ERASED' } });
    expect(await tablesWith(service.db, names)).toEqual([]);
  });

  test('takes along neither a longer id nor a text with a short one in it', async () => {
    await erase(SHORT);
    const confirmation = (await service.request('GET', `/confirmations/${kept.confirmation}`)).body;
    expect(confirmation).toMatchObject({ status: 'PENDING', counterpartyRef: NAMESAKE });
    const { body } = await service.request('GET', `/screenings/${kept.screening}`);
    expect(body.label).toBe(`${SHORT} days`);
  });
});
