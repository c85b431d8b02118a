import { eventually } from '#harness/eventually.js';
import type { TestService } from '#harness/service.js';
import { addWebhook } from '../notify/webhooksFixtures.js';

/** In every text about the person, and nowhere else. */
export const MARK = 'Qwx7Marker';
export const PERSON = `${MARK} ü/4711`;
export const PERSON_PATH = `/users/${encodeURIComponent(PERSON)}`;

/** What the person left, by ids that the operations take. */
export interface Traces {
  eventId: string;
  confirmationId: string;
  confirmationToken: string;
  referenceId: string;
  referenceToken: string;
  campaignId: string;
  disputeId: string;
  importId: string;
  screeningId: string;
  monitorId: string;
  policyId: string;
  webhookId: string;
  deliveryId: string;
  projectId: string;
  shareToken: string;
  linkToken: string;
  credential: string;
}

const IDEMPOTENT = { 'Idempotency-Key': 'of-the-erased-1' };

/** Every kind of trace that a person can leave, over HTTP. */
export async function leaveTraces(service: TestService, receiverUrl: string): Promise<Traces> {
  const send = async (method: string, path: string, body?: unknown, more: object = {}) => {
    const answer = await service.request(method, path, { body, ...more });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const post = (path: string, body: unknown = {}, more: object = {}) => send('POST', path, body, more);
  const mark = (what: string) => `${MARK} ${what}`;
  const asked = { userId: PERSON, counterpartyRef: mark('ref'), counterpartyName: mark('client') };
  const webhook = await addWebhook(service, { url: receiverUrl, events: ['score.updated'] });
  const event = {
    userId: PERSON,
    eventType: 'CONTRACT_FULFILLED',
    isVerified: true,
    transactionValue: 480,
    metadata: { note: mark('note') },
    idempotencyKey: 'item-1',
  };
  const { eventId } = await post('/events', event, { headers: IDEMPOTENT });
  const breach = await post('/events', { userId: PERSON, eventType: 'CONTRACT_BREACHED' });
  const batch = {
    events: [
      { ...event, idempotencyKey: 'item-2' },
      { userId: PERSON, eventType: mark('type') },
    ],
  };
  await post('/events/batch', batch, { headers: { 'Idempotency-Key': 'of-the-erased-2' } });
  const ingestMapping = {
    userId: { path: 'who' },
    eventType: { constant: 'CONTRACT_FULFILLED' },
    isVerified: { constant: true },
    verifiedBy: { path: 'client' },
  };
  await post('/ingest', {
    records: [{ who: PERSON, client: mark('ingest client') }],
    mapping: ingestMapping,
  });
  const { id: disputeId } = await post('/disputes', { eventId: breach.eventId, reason: mark('reason') });
  const csv = `who,done\r\n"${PERSON}",2024-03-01\r\n"${PERSON}",${mark('no date')}\r\n"${PERSON};2024-03-02"\r\n`;
  const importMapping = {
    userId: { path: 'who' },
    eventType: { constant: 'CONTRACT_FULFILLED' },
    completedAt: { path: 'done', transform: 'iso_date' },
  };
  const { id: importId } = await post('/imports', { csv, mapping: importMapping });

  const outcome = { ...asked, eventType: 'CONTRACT_FULFILLED', description: mark('description') };
  const confirmed = await post('/confirmations', outcome);
  await service.request('POST', `/confirmations/${confirmed.confirmation.id}/respond`, {
    key: null,
    body: { token: confirmed.confirmationToken, decision: 'confirm' },
  });
  const pending = await post('/confirmations', outcome);
  const rows = [{ rowKey: 'row-1', ...outcome }];
  const { campaign } = await post('/activation/campaigns', { name: 'Spring', rows });
  const claim = { kind: 'skill', title: mark('skill'), description: mark('skill text') };
  const reference = await post('/references', { ...asked, claim });

  await service.settle();
  const path = PERSON_PATH;
  await post(`${path}/qualifications`, { eventType: 'SKILL_VERIFIED', title: mark('tiling') });
  const project = await post(`${path}/projects`, { title: mark('bath'), url: `https://x.example/${MARK}` });
  const { shareToken } = await post(`${path}/share-token`, { includeProfile: true });
  await post(`${path}/credential-offers`, { credentialType: 'ServiceEarningsCredential' }).catch(() => {});
  const { credential } = await post(`${path}/open-badges`);
  const { linkToken } = await post(`${path}/link-token`);
  const { id: screeningId } = await post('/screenings', { userIds: ['somebody', PERSON] });
  const monitor = await post('/monitors', { userId: PERSON, belowScore: 90 });
  const policy = {
    name: 'Watch',
    userId: PERSON,
    condition: { metric: 'score', direction: 'below', threshold: 90 },
  };
  const { id: policyId } = await post('/policies', policy);
  await post('/events', { ...event, idempotencyKey: 'item-3' });
  await service.settle();
  const webhookId = webhook.body.id;
  const deliveries = () => send('GET', `/webhooks/${webhookId}/deliveries`);
  await eventually(async () => (await deliveries()).deliveries.length > 0);
  return {
    eventId,
    confirmationId: pending.confirmation.id,
    confirmationToken: pending.confirmationToken,
    referenceId: reference.reference.id,
    referenceToken: reference.referenceToken,
    campaignId: campaign.id,
    disputeId,
    importId,
    screeningId,
    monitorId: monitor.id,
    policyId,
    webhookId,
    deliveryId: (await deliveries()).deliveries[0].id,
    projectId: project.id,
    shareToken,
    linkToken,
    credential,
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
