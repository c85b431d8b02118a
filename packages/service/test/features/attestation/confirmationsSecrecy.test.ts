import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import { startTestService, type TestService } from '#harness/service.js';
import { once } from '../intake/eventFixtures.js';
import { addWebhook, delivered, LOOPBACK_ALLOWED } from '../notify/webhooksFixtures.js';
import { HOUR_MS, movableClock } from '../tenancy/keyFixtures.js';
import { answered, asking, cancelled, type Made, made, previewed, swept } from './confirmationFixtures.js';

const LIMIT = 5;

describe.each(breadth)("the counterparty's token on %s", (engine) => {
  let service: TestService;
  let receiver: Receiver;
  const logged: string[] = [];
  const clock = movableClock();

  beforeAll(async () => {
    receiver = await startReceiver();
    const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) });
    service = await startTestService(engine, { env: LOOPBACK_ALLOWED, clock, log });
  });

  afterAll(async () => {
    await service.close();
    await receiver.close();
  });

  test('is in no log, no table, no webhook and no response but the first', async () => {
    const { id: webhookId } = (
      await addWebhook(service, {
        url: `${receiver.url}/hook`,
        events: ['confirmation.awaiting_response', 'score.updated'],
      })
    ).body;
    const requests = await everythingOnce();
    await service.settle();
    clock.aheadMs += 49 * HOUR_MS;
    expect(await swept(service, 'reminders')).toBeGreaterThan(0);
    await delivered(service, webhookId);

    const tokens = requests.map(({ confirmationToken }) => confirmationToken);
    expect(tokens.every((token) => token.startsWith('cft_'))).toBe(true);
    const sources: Record<string, string> = {
      log: logged.join('\n'),
      webhooks: receiver.received.map(({ body }) => body).join('\n'),
      database: await wholeDatabase(),
      activity: (await service.request('GET', '/activity?limit=100')).text,
      listing: (await service.request('GET', '/confirmations?limit=100')).text,
      export: (await service.request('GET', '/events/export')).text,
      metrics: (await service.request('GET', '!/metrics')).text,
    };
    expect(sources.log).toContain('request refused');
    expect(sources.webhooks).toContain('{confirmationToken}');
    expect(sources.database).toContain('Kitchen fitted');
    for (const [source, text] of Object.entries(sources)) {
      for (const token of tokens) expect([source, text.includes(token.slice(4))]).toEqual([source, false]);
    }
  });

  /**
   * Calls every operation on confirmations, successfully and not; returns what must stay secret.
   */
  async function everythingOnce(): Promise<Made[]> {
    const [pending, confirmed, declined, taken] = [
      await made(service, {}, once(`secret-${engine}`)),
      await made(service, { userId: 'confirmed' }),
      await made(service),
      await made(service),
    ];
    const batch = await service.request('POST', '/confirmations/batch', {
      body: { confirmations: [asking()] },
    });
    const body = { name: 'Secret', rows: [asking({ rowKey: 'a' })] };
    const campaign = await service.request('POST', '/activation/campaigns', { body });
    await answered(service, confirmed, 'confirm');
    await service.request('POST', inQuery(declined), { key: null, body: { decision: 'decline' } });
    await cancelled(service, taken);
    const refusals = [
      await answered(service, confirmed, 'decline'),
      await answered(service, pending, pending.confirmationToken),
      await answered(service, { ...pending, confirmation: taken.confirmation }, 'confirm'),
      await previewed(service, { ...pending, confirmation: confirmed.confirmation }),
      await service.request('GET', `/confirmations/${pending.confirmationToken}`),
      await service.request('GET', `/confirmations?cursor=${pending.confirmationToken}`),
      await service.request('POST', `/confirmations/${pending.confirmation.id}/respond`, {
        key: null,
        body: `{"token": "${pending.confirmationToken}", "decision": confirm}`,
      }),
      ...(await Promise.all(
        [{}, { decision: 'maybe' }, { tokn: 1 }, { token: 'cft_other', decision: 'confirm' }, '{', ''].map(
          (body) => service.request('POST', inQuery(pending), { key: null, body }),
        ),
      )),
      await service.request('PUT', inQuery(pending), { key: null, body: {} }),
      await service.request('GET', inQuery(pending), { key: null }),
      await service.request('POST', `${inQuery(taken)}&tokem=1`, {
        key: null,
        body: { decision: 'confirm' },
      }),
      await service.request('POST', `${inQuery(taken)}&colour=1`, {
        key: null,
        body: { decision: 'confirm' },
      }),
      await service.request('GET', `!/no/such/page?token=${pending.confirmationToken}`),
    ];
    for (const { status, text } of refusals) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).not.toContain(pending.confirmationToken.slice(4));
    }
    expect((await previewed(service, pending)).text).not.toContain(pending.confirmationToken.slice(4));
    return [pending, confirmed, declined, taken, ...batch.body.results, ...campaign.body.results];
  }

  async function wholeDatabase(): Promise<string> {
    const tables = await service.db.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = any(current_schemas(false)) and table_type = 'BASE TABLE'`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const rows = await service.db.query<{ row: string }>(`select t::text as row from "${name}" t`);
      texts.push(...rows.map(({ row }) => row));
    }
    return texts.join('\n');
  }
});

function inQuery({ confirmation, confirmationToken }: Made): string {
  return `/confirmations/${confirmation.id}/respond?token=${confirmationToken}`;
}

describe.each(breadth)('guessing tokens on %s', (engine) => {
  test('is limited for anonymous callers', async () => {
    const service = await startTestService(engine, {
      env: { ANONYMOUS_RATE_LIMIT_PER_MINUTE: String(LIMIT) },
    });
    try {
      const request = await made(service);
      const guess = { ...request, confirmationToken: 'cft_guess' };
      const statuses: number[] = [];
      // A new minute may begin in between, so the test sends twice the limit.
      for (let tried = 0; tried <= LIMIT; tried += 1) {
        statuses.push((await answered(service, guess, 'confirm')).status);
        statuses.push((await previewed(service, guess)).status);
      }
      expect(new Set(statuses)).toEqual(new Set([401, 429]));
    } finally {
      await service.close();
    }
  });
});
