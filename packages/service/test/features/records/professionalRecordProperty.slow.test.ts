import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { reportBatch } from '../intake/eventFixtures.js';
import { NOW, occurred, type Reported, reported } from './earningsModel.js';

const RUNS = 15;
const DAY_MS = 86_400_000;
const positive = ['TRANSACTION_COMPLETED', 'CONTRACT_FULFILLED', 'REVIEW_VERIFIED'];

describe.each(engines)('random professional records on %s', (engine) => {
  let service: TestService;
  let count = 0;

  beforeAll(async () => {
    service = await startTestService(engine, { clock: { now: () => NOW } });
  });
  afterAll(() => service.close());

  test('count what was reported, outcome by outcome', () =>
    fc.assert(
      fc.asyncProperty(fc.array(reported, { minLength: 1, maxLength: 30 }), async (events) => {
        const userId = `professional-${++count}`;
        const key = service.testKey;
        const body = events.map(({ value: _, isContested: __, ...event }) => ({ userId, ...event }));
        expect((await reportBatch(service, body, { key })).body.createdCount).toBe(events.length);
        await service.settle();
        const record = (await service.request('GET', `/users/${userId}/professional-record`, { key })).body;
        expect(record).toMatchObject(expectedRecord(events));
      }),
      { numRuns: RUNS, endOnFailure: true },
    ));
});

function expectedRecord(events: readonly Reported[]) {
  const outcomes = events.filter(({ eventType }) => eventType !== 'TRANSACTION_CANCELLED');
  const verified = outcomes.filter(({ isVerified }) => isVerified);
  const of = (types: readonly string[]) =>
    verified.filter(({ eventType }) => types.includes(eventType)).length;
  const days = verified.map((event) => occurred(event).toISOString().slice(0, 10)).sort();
  const [first, last] = [days[0], days.at(-1)];
  return {
    verifiedOutcomes: verified.length,
    verifiedByClass: {
      positive: of(positive),
      breach: of(['CONTRACT_BREACHED']),
      contested: of(['TRANSACTION_DISPUTED']),
    },
    totalOutcomes: outcomes.length,
    verificationDepth: outcomes.length === 0 ? null : Number((verified.length / outcomes.length).toFixed(4)),
    verifiedPlatforms: verified.length === 0 ? 0 : 1,
    tenure:
      first === undefined || last === undefined
        ? null
        : {
            firstOutcomeOn: first,
            lastOutcomeOn: last,
            days: (Date.parse(last) - Date.parse(first)) / DAY_MS,
          },
  };
}
