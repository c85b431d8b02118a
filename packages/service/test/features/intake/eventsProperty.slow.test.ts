import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { engines } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { exportAll, outcome, report, reportBatch } from './eventFixtures.js';

const TYPES = ['TRANSACTION_COMPLETED', 'TRANSACTION_DISPUTED', 'CONTRACT_BREACHED', 'CONTRACT_CANCELLED'];
const DATES = [undefined, '2026-01-10T08:00:00Z', '2026-01-10T23:59:59.999Z', '2026-01-11T00:00:00Z'];

const eventOf = fc.record({
  subject: fc.integer({ min: 0, max: 3 }),
  itemKey: fc.option(fc.integer({ min: 0, max: 6 })),
  more: fc.record({
    eventType: fc.constantFrom(...TYPES),
    stakeLevel: fc.constantFrom('HIGH', 'MEDIUM', 'LOW', 'HUGE'), // the last one fails
    isVerified: fc.boolean(),
    dueDate: fc.constantFrom(...DATES),
    completedAt: fc.constantFrom(...DATES),
  }),
});

/** A request: an event or a batch, possibly with an Idempotency-Key, possibly sent twice. */
const sendingOf = fc.record({
  events: fc.array(eventOf, { minLength: 1, maxLength: 6 }),
  asBatch: fc.boolean(),
  isKeyed: fc.boolean(),
  times: fc.integer({ min: 1, max: 3 }),
});
type Sending = typeof sendingOf extends fc.Arbitrary<infer Value> ? Value : never;

/** Waves of requests. The requests of a wave are concurrent. */
const history = fc.array(fc.array(sendingOf, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });

describe.each(engines)('any requests in any order on %s', (engine) => {
  let run = 0;
  const service = givenService(engine);

  test('the audit finds no difference, scores count the exported events, and no item key is used twice', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (waves) => {
        run += 1;
        const name = `run-${run}`;
        const since = new Date();
        for (const [wave, sendings] of waves.entries()) {
          await Promise.all(
            sendings.map((sending, index) => send(sending, name, `${name}-${wave}-${index}`)),
          );
        }
        await expectLedgerToAgree(name, since);
      }),
      { numRuns: 25 },
    );
    expect(await differencesIn(service.db)).toEqual([]);
  });

  async function send(
    { events, asBatch, isKeyed, times }: Sending,
    name: string,
    key: string,
  ): Promise<void> {
    const bodies = events.map(({ subject, itemKey, more }) =>
      outcome({
        ...more,
        userId: `${name}-subject-${subject}`,
        metadata: { itemKey },
        ...(itemKey === null ? {} : { idempotencyKey: `${name}-item-${itemKey}` }),
      }),
    );
    const options = isKeyed ? { headers: { 'Idempotency-Key': `${key}-request` } } : {};
    const attempt = () =>
      asBatch ? reportBatch(service, bodies, options) : report(service, bodies[0], options);
    const answers = await Promise.all(Array.from({ length: times }, attempt));
    for (const { status } of answers) expect([200, 201, 400, 409]).toContain(status);
  }

  async function expectLedgerToAgree(name: string, since: Date): Promise<void> {
    const events = (await exportAll(service, { query: `&from=${since.toISOString()}` })).filter(
      ({ userId }) => userId.startsWith(`${name}-`),
    );
    const itemKeys = events.map(({ metadata }) => metadata?.itemKey).filter((key) => key !== null);
    expect(new Set(itemKeys).size).toBe(itemKeys.length);
    await service.settle();
    for (const userId of new Set(events.map((event) => event.userId))) {
      const own = events.filter((event) => event.userId === userId);
      const score = await service.request('GET', `/users/${userId}/score`);
      const verifiedEvents = own.filter((event) => event.isVerified).length;
      expect(score.body).toMatchObject({ totalEvents: own.length, verifiedEvents });
    }
  }
});
