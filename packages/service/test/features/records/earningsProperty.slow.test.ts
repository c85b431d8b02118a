import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { reportBatch } from '../intake/eventFixtures.js';
import { type Ask, ask, expectedEarnings, NOW, type Reported, reported } from './earningsModel.js';

const RUNS = 25;

describe.each(engines)('random earnings on %s', (engine) => {
  let service: TestService;
  let count = 0;

  beforeAll(async () => {
    service = await startTestService(engine, { clock: { now: () => NOW } });
  });
  afterAll(() => service.close());

  /** A test subject of its own: reads work there as they do live. */
  async function subjectWith(events: readonly Reported[]): Promise<string> {
    const userId = `earner-${++count}`;
    const key = service.testKey;
    const body = events.map(({ value, isContested: _, ...event }) => {
      return { userId, ...event, transactionValue: value === null ? null : value / 1000 };
    });
    const { results } = (await reportBatch(service, body, { key })).body;
    for (const [index, { eventType, isContested }] of events.entries()) {
      const { eventId } = results[index];
      if (eventType !== 'CONTRACT_BREACHED' || !isContested) continue;
      const { status } = await service.request('POST', '/disputes', { key, body: { eventId } });
      expect(status).toBe(201);
    }
    return userId;
  }

  const read = async (userId: string, end: string, query: Ask) => {
    const path = `/users/${userId}/earnings${end}?${new URLSearchParams({ ...query })}`;
    const { status, body } = await service.request('GET', path, { key: service.testKey });
    expect(status).toBe(200);
    return body;
  };

  test('are those of a plain model, to the last digit of every sum', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(reported, { minLength: 1, maxLength: 40 }),
        fc.array(ask, { minLength: 4, maxLength: 4 }),
        async (events, queries) => {
          const userId = await subjectWith(events);
          for (const query of queries) {
            const { stability, ...expected } = expectedEarnings(events, query);
            const body = await read(userId, '', query);
            expect(body).toMatchObject({
              window: expected.window,
              attested: expected.attested,
              unverifiedReported: expected.unverifiedReported,
              excluded: expected.excluded,
            });
            expect(body.months.map(({ platforms: _, ...month }: { platforms: unknown }) => month)).toEqual(
              expected.months,
            );
            const { meanMonthly, coefficientOfVariation, ...exact } = stability;
            expect(body.stability).toMatchObject(exact);
            expectNear(body.stability.meanMonthly, meanMonthly, 1e-9 * (meanMonthly ?? 0));
            expectNear(body.stability.coefficientOfVariation, coefficientOfVariation, 0.000051);
            expectNear(body.coverage.selfReportedShare, expected.selfReportedShare, 0.000051);
            expect(body.coverage.verifiedWithoutValue).toBe(expected.verifiedWithoutValue);
            const summary = await read(userId, '/summary', query);
            expect(summary).toMatchObject({
              trailing12mVerifiedTotal: stability.trailing12mTotal,
              medianMonthly: stability.medianMonthly,
              volatility: body.stability.coefficientOfVariation,
            });
            expectNear(summary.verifiedShare, expected.verifiedShare, 0.000051);
          }
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    ));
});

/** Null and numbers are never near each other. */
function expectNear(found: number | null, expected: number | null, tolerance: number): void {
  if (found === null || expected === null) expect(found).toBe(expected);
  else expect(Math.abs(found - expected)).toBeLessThanOrEqual(tolerance);
}
