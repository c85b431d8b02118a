import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import { startTestService, type TestService } from '#harness/service.js';
import { once } from '../intake/eventFixtures.js';
import { addWebhook, delivered, LOOPBACK_ALLOWED } from '../notify/webhooksFixtures.js';
import { HOUR_MS, movableClock } from '../tenancy/keyFixtures.js';
import { callsOf, type Kind, kinds } from './attestationFixtures.js';
import { asking, swept } from './confirmationFixtures.js';

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
    const events = ['confirmation.awaiting_response', 'score.updated'];
    const { id: webhookId } = (await addWebhook(service, { url: `${receiver.url}/hook`, events })).body;
    const tokens = [...(await everyCall(kinds[0])), ...(await everyCall(kinds[1]))];
    for (const [path, body] of [
      ['/confirmations/batch', { confirmations: [asking()] }],
      ['/activation/campaigns', { name: 'Secret', rows: [asking({ rowKey: 'a' })] }],
    ] as const) {
      tokens.push((await service.request('POST', path, { body })).body.results[0].confirmationToken);
    }
    await service.settle();
    clock.aheadMs += 49 * HOUR_MS;
    expect(await swept(service, 'reminders')).toBeGreaterThan(0);
    await delivered(service, webhookId);

    const read = async (path: string) => (await service.request('GET', path)).text;
    const sources: Record<string, string> = {
      log: logged.join('\n'),
      webhooks: receiver.received.map(({ body }) => body).join('\n'),
      database: await wholeDatabase(),
      activity: await read('/activity?limit=100'),
      confirmations: await read('/confirmations?limit=100'),
      references: await read('/references?limit=100'),
      export: await read('/events/export'),
      metrics: await read('!/metrics'),
    };
    expect(sources.log).toContain('request refused');
    expect(sources.webhooks).toContain('{confirmationToken}');
    expect(sources.database).toContain('Kitchen fitted');
    expect(tokens.filter((token) => !/^[cr]ft_/.test(token))).toEqual([]);
    for (const [source, text] of Object.entries(sources)) {
      for (const token of tokens) expect([source, text.includes(token.slice(4))]).toEqual([source, false]);
    }
  });

  /** Calls every operation on requests, successfully and not; returns what must stay secret. */
  async function everyCall(kind: Kind): Promise<string[]> {
    const { asked, respond, preview, cancel } = callsOf(kind, () => service);
    const [pending, confirmed, declined, taken] = [
      await asked({}, once(`secret-${kind.name}`)),
      await asked({ userId: 'confirmed' }),
      await asked(),
      await asked(),
    ];
    const inQuery = ({ token }: { token: string }) => `?token=${token}`;
    const { id, token } = pending;
    await respond(confirmed);
    await respond(declined, '', { query: inQuery(declined), body: { decision: 'decline' } });
    await cancel(taken.id);
    const wrongBodies = [{}, { decision: 'maybe' }, { tokn: 1 }, { token: 'cft_other', decision: 'confirm' }];
    const refusals = [
      await respond(confirmed, 'decline'),
      await respond(pending, token),
      await respond({ token, id: taken.id }),
      await preview({ token, id: confirmed.id }),
      await respond(pending, '', { body: `{"token": "${token}", "decision": confirm}` }),
      ...(await Promise.all(
        [...wrongBodies, '{', ''].map((body) => respond(pending, '', { query: inQuery(pending), body })),
      )),
      ...(await Promise.all(
        ['&tokem=1', '&colour=1'].map((more) =>
          respond(taken, '', { query: inQuery(taken) + more, body: { decision: 'confirm' } }),
        ),
      )),
      await service.request('GET', `${kind.path}/${token}`),
      await service.request('GET', `${kind.path}?cursor=${token}`),
      await service.request('PUT', `${kind.path}/${id}/respond?token=${token}`, { key: null, body: {} }),
      await service.request('GET', `${kind.path}/${id}/respond?token=${token}`, { key: null }),
      await service.request('GET', `!/no/such/page?token=${token}`),
    ];
    for (const { status, text } of refusals) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).not.toContain(token.slice(4));
    }
    expect((await preview(pending)).text).not.toContain(token.slice(4));
    return [pending, confirmed, declined, taken].map((made) => made.token);
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

test.each(breadth)('guessing tokens is limited for anonymous callers on %s', async (engine) => {
  const env = { ANONYMOUS_RATE_LIMIT_PER_MINUTE: String(LIMIT) };
  const service = await startTestService(engine, { env });
  try {
    for (const kind of kinds) {
      const { asked, respond, preview } = callsOf(kind, () => service);
      const guess = { ...(await asked()), token: `${kind.prefix}guess` };
      const statuses: number[] = [];
      // A new minute may begin in between, so the test sends twice the limit.
      for (let tried = 0; tried <= LIMIT; tried += 1) {
        statuses.push((await respond(guess)).status, (await preview(guess)).status);
      }
      expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
      expect(statuses).toContain(429);
    }
  } finally {
    await service.close();
  }
});
