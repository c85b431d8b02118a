import type { Logger } from 'pino';
import { afterAll, beforeAll, expect } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import type { Engine } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { givenService } from '#harness/givenService.js';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import type { RequestOptions } from '#harness/service.js';
import { auditLog } from '#ledger/log/audit/auditLog.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { once } from '../intake/eventFixtures.js';
import { addWebhook, LOOPBACK_ALLOWED } from '../notify/webhooksFixtures.js';
import { movableClock } from '../tenancy/keyFixtures.js';

/** A service for a suite about erasures, and a receiver of webhooks that answers with what it received. */
export function givenEraser(engine: Engine, log: Logger) {
  let receiver: Receiver;
  const clock = movableClock();
  const service = givenService(engine, { clock, env: { ...LOOPBACK_ALLOWED, LOG_LEVEL: log.level }, log });
  beforeAll(async () => {
    receiver = await startReceiver();
    receiver.react((request) => ({ status: 200, body: request.body }));
  });
  afterAll(() => receiver.close());
  /** It must not fail. */
  const send = async (method: string, path: string, body?: unknown, more: RequestOptions = {}) => {
    const answer = await service.request(method, path, { body, ...more });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const post = (path: string, body: unknown = {}, more: RequestOptions = {}) =>
    send('POST', path, body, more);
  return {
    service,
    clock,
    send,
    post,
    /** Asks the counterparty, who confirms. */
    async confirmed(what: 'confirmation' | 'reference', body: object, more: RequestOptions = {}) {
      const asked = await post(`/${what}s`, body, more);
      const answer = { token: asked[`${what}Token`], decision: 'confirm' };
      await post(`/${what}s/${asked[what].id}/respond`, answer, { key: null });
    },
    addWebhook: async (more: object) => (await addWebhook(service, { url: receiver.url, ...more })).body,
    /** Erases the subject, and waits until the last search for it has ended. */
    async erase(id: string) {
      const answer = await post(`/users/${encodeURIComponent(id)}/erasure`);
      const openSearches = async () => (await service.db.query('select 1 from erasure_work')).length;
      for (let open = await openSearches(); open > 0; open -= 1) {
        clock.aheadMs += 60_000;
        await eventually(async () => (await openSearches()) < open);
      }
      return answer;
    },
    /** Neither audit finds a difference; what the one of the log counted. */
    async expectCleanAudits() {
      await service.settle();
      await settledLog(service.db);
      expect(await differencesIn(service.db)).toEqual([]);
      const found: string[] = [];
      const onDifference = (what: string) => found.push(what);
      const summary = await auditLog(service.ledger, { now: clock.now(), onDifference });
      expect(found).toEqual([]);
      return summary;
    },
  };
}

/** In every text about the person, and nowhere else. */
export const MARK = 'Qwx7Marker';
export const PERSON = `${MARK} ü/4711`;
export const PERSON_PATH = `/users/${encodeURIComponent(PERSON)}`;

/** What the person left, by ids that the operations take. */
export type Traces = Awaited<ReturnType<typeof leaveTraces>>;

/** Every kind of trace that a person can leave, over HTTP. */
export async function leaveTraces({
  service,
  send,
  post,
  confirmed,
  addWebhook,
}: ReturnType<typeof givenEraser>) {
  const mark = (what: string) => `${MARK} ${what}`;
  const path = PERSON_PATH;
  const asked = { userId: PERSON, counterpartyRef: mark('ref'), counterpartyName: mark('client') };
  const webhookId: string = (await addWebhook({ events: ['score.updated'] })).id;
  const good = { userId: PERSON, eventType: 'CONTRACT_FULFILLED', isVerified: true };
  const event = { ...good, transactionValue: 480, metadata: { note: mark('note') } };
  const { eventId } = await post('/events', { ...event, idempotencyKey: 'item-1' }, once('of-the-erased-1'));
  const breach = await post('/events', { userId: PERSON, eventType: 'CONTRACT_BREACHED' });
  const invalid = { userId: PERSON, eventType: mark('type') };
  const batch = { events: [{ ...event, idempotencyKey: 'item-2' }, invalid] };
  await post('/events/batch', batch, once('of-the-erased-2'));
  const mapping = { userId: { path: 'who' }, eventType: { constant: 'CONTRACT_FULFILLED' } };
  await post('/ingest', {
    records: [{ who: PERSON, client: mark('ingest client') }],
    mapping: { ...mapping, isVerified: { constant: true }, verifiedBy: { path: 'client' } },
  });
  const { id: disputeId } = await post('/disputes', { eventId: breach.eventId, reason: mark('reason') });
  const { url } = await post(`${path}/record-links`);
  const objection = { eventId, text: mark('objection') };
  const { review } = await post(`!${new URL(url).pathname}/reviews`, objection, { key: null });
  const answer = { outcome: 'UPHELD', text: mark('answer'), reviewer: mark('reviewer') };
  await post(`/reviews/${review.id}/answer`, answer);
  const csv = `who,done\r\n"${PERSON}",2024-03-01\r\n"${PERSON}",${mark('no date')}\r\n"${PERSON};2024-03-02"\r\n`;
  const dated = { ...mapping, completedAt: { path: 'done', transform: 'iso_date' } };
  const { id: importId } = await post('/imports', { csv, mapping: dated });

  const outcome = { ...asked, eventType: 'CONTRACT_FULFILLED', description: mark('description') };
  await confirmed('confirmation', outcome);
  const pending = await post('/confirmations', outcome);
  const rows = [{ rowKey: 'row-1', ...outcome }];
  const { campaign } = await post('/activation/campaigns', { name: 'Spring', rows });
  const claim = { kind: 'skill', title: mark('skill'), description: mark('skill text') };
  const { reference } = await post('/references', { ...asked, claim });

  await service.settle();
  await post(`${path}/qualifications`, { eventType: 'SKILL_VERIFIED', title: mark('tiling') });
  await post(`${path}/projects`, { title: mark('bath'), url: `https://x.example/${MARK}` });
  const { shareToken } = await post(`${path}/share-token`, { includeProfile: true });
  await post(`${path}/credential-offers`, { credentialType: 'ServiceEarningsCredential' }).catch(() => {});
  const { credential } = await post(`${path}/open-badges`);
  const { linkToken } = await post(`${path}/link-token`);
  const { id: screeningId } = await post('/screenings', { userIds: ['somebody', PERSON] });
  const { id: monitorId } = await post('/monitors', { userId: PERSON, belowScore: 90 });
  const condition = { metric: 'score', direction: 'below', threshold: 90 };
  const { id: policyId } = await post('/policies', { name: 'Watch', userId: PERSON, condition });
  await post('/events', { ...event, idempotencyKey: 'item-3' });
  await service.settle();
  const deliveries = async (): Promise<{ id: string }[]> =>
    (await send('GET', `/webhooks/${webhookId}/deliveries`)).deliveries;
  await eventually(async () => (await deliveries()).length > 0);
  return {
    /** By the beginnings of their paths. */
    ids: {
      '/confirmations': pending.confirmation.id as string,
      '/references': reference.id as string,
      '/activation/campaigns': campaign.id as string,
      '/disputes': disputeId as string,
      '/reviews': review.id as string,
      '/imports': importId as string,
      '/screenings': screeningId as string,
      '/monitors': monitorId as string,
      '/policies': policyId as string,
      '/webhooks': webhookId,
      '/events': eventId as string,
    },
    confirmationToken: pending.confirmationToken as string,
    deliveryId: (await deliveries())[0]?.id ?? '',
    shareToken: shareToken as string,
    linkToken,
    credential: credential as string,
  };
}

/** How the marker can be written: as it is, percent-encoded, in hex and in base64 at each offset. */
const FORMS = [
  MARK,
  encodeURIComponent(PERSON),
  Buffer.from(MARK).toString('hex'),
  ...[0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${' '.repeat(offset)}${MARK}   `).toString('base64');
    return encoded.slice(offset === 0 ? 0 : 4, -8);
  }),
];

export function isAboutPerson(text: string): boolean {
  return FORMS.some((form) => text.includes(form));
}
