import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import { startTestService, TEST_KEYS, type TestService } from '#harness/service.js';
import { createVault } from '#kit/crypto.js';
import { WEBHOOK_SECRET } from '../../../src/features/notify/webhooks/webhookSecrets.js';
import { once, outcome, report } from '../intake/eventFixtures.js';
import { addWebhook, delivered, LOOPBACK_ALLOWED } from './webhooksFixtures.js';

describe.each(breadth)('signing secrets on %s', (engine) => {
  let service: TestService;
  let receiver: Receiver;
  let webhookId: string;
  const lines: string[] = [];
  const secrets: string[] = [];
  /** Every answer except those with a new secret. */
  const answers: string[] = [];

  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startTestService(engine, {
      env: LOOPBACK_ALLOWED,
      log: pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }),
    });
    await useEverything();
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
  });

  async function useEverything(): Promise<void> {
    const body = { url: `${receiver.url}/hook` };
    const added = await addWebhook(service, body, once('add-with-secret'));
    webhookId = added.body.id;
    const path = `/webhooks/${webhookId}`;
    const rotated = await service.request('POST', `${path}/rotate-secret`, once('rotate-with-secret'));
    secrets.push(added.body.secret, rotated.body.secret);
    await report(service, outcome());
    await service.settle();
    await receiver.waitFor(1);
    await delivered(service, webhookId);
    const tested = await service.request('POST', `${path}/test`);
    answers.push(tested.text);
    for (const [method, address, more] of [
      ['GET', path],
      ['PATCH', path, { description: 'changed' }],
      ['POST', `${path}/deliveries/${tested.body.id}/replay`],
      ['POST', `${path}/recover`, { since: '2026-01-01T00:00:00.000Z' }],
      ['GET', `${path}/deliveries`],
      ['GET', `${path}/deliveries/${tested.body.id}`],
      ['GET', '/webhooks'],
      ['GET', '/activity?limit=100'],
      ['GET', '/webhooks/events'],
    ] as const) {
      answers.push((await service.request(method, address, { body: more })).text);
    }
    answers.push((await addWebhook(service, { url: `https://user:${secrets[0]}@hooks.example/` })).text);
    // An internal failure is logged with its cause.
    await service.ledger.execute('alter table webhook rename to webhook_away');
    answers.push((await addWebhook(service, body)).text);
    await service.ledger.execute('alter table webhook_away rename to webhook');
  }

  /** The secrets as text, and their keys in the encodings that a program could print. */
  function expectNone(text: string): void {
    for (const secret of secrets) {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      for (const spelling of [secret, secret.slice(6), key.toString('hex'), key.toString('base64url')]) {
        expect(text.includes(spelling), spelling.slice(0, 8)).toBe(false);
      }
    }
  }

  test('no answer shows a secret a second time', () => {
    expect(new Set(secrets).size).toBe(2);
    expectNone(answers.join(''));
    expect(answers.join('')).not.toContain('whsec_');
  });

  test('the log contains none, even at its most verbose level', () => {
    expect(lines.join('')).toContain('request failed');
    expectNone(lines.join(''));
  });

  test('no delivery contains one', () => {
    expect(receiver.received.length).toBeGreaterThan(0);
    expectNone(JSON.stringify(receiver.received));
  });

  test('the database has them only sealed, in one place', async () => {
    const [row] = await service.db.query<{ sealedSecret: Buffer; sealedPreviousSecret: Buffer }>(
      'select sealed_secret, sealed_previous_secret from webhook where webhook_id = $1',
      [webhookId],
    );
    const vault = createVault(TEST_KEYS.data);
    const opened = [row?.sealedPreviousSecret, row?.sealedSecret].map((sealed) =>
      vault.open(sealed ?? Buffer.alloc(0), WEBHOOK_SECRET),
    );
    expect(opened).toEqual(secrets);
    for (const table of ['webhook', 'envelope', 'delivery', 'outbox_queue', 'activity', 'idempotency']) {
      const rows = await service.db.query<{ row: string }>(`select t::text as row from ${table} t`);
      const text = rows.map(({ row: whole }) => whole).join('\n');
      expectNone(text);
      for (const secret of secrets) expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
});
