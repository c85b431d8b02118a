import { scoreBands } from '@reliability/scoring';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MonitorTerms, monitorCrossings, policyCrossing } from '#domain/crossings.js';
import { componentNames, type PolicyTerms } from '#domain/envelopes/scoreEnvelopes.js';
import { engines } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import type { BackgroundLoop } from '#kit/backgroundLoop.js';
import type { Database } from '#kit/db/database.js';
import { addPlatform, append, ledgerOn, outcome, workerOn } from './deps.js';
import { addMonitor, addPolicy, monitorsEmitted, policiesEmitted, stepsOf } from './watchFixtures.js';

const threshold = fc.integer({ min: 20, max: 90 });
const monitorTerms: fc.Arbitrary<MonitorTerms> = fc.record({
  belowScore: threshold,
  aboveScore: threshold,
  onBandChange: fc.boolean(),
});
const NOTHING = { threshold: null, component: null, band: null };
const direction = fc.constantFrom('below' as const, 'above' as const);
const component = fc.constantFrom(...componentNames);
const band = fc.constantFrom(...scoreBands);
const metric = <Name extends string>(name: Name) => fc.constant(name);
const policyTerms: fc.Arbitrary<PolicyTerms> = fc
  .oneof(
    fc.record({ metric: metric('score'), direction, threshold }),
    fc.record({ metric: metric('component'), direction, threshold, component }),
    fc.record({ metric: metric('verified_events'), direction, threshold: fc.integer({ min: 0, max: 12 }) }),
    fc.record({
      metric: metric('band'),
      direction: fc.constantFrom('enter' as const, 'leave' as const),
      band,
    }),
  )
  .map((terms) => ({ ...NOTHING, ...terms }));
/** The requests of several writers: each has a subject, an outcome and a number of events. */
const request = fc.record({
  subject: fc.integer({ min: 0, max: 3 }),
  eventType: fc.constantFrom(
    'CONTRACT_FULFILLED' as const,
    'CONTRACT_BREACHED' as const,
    'TRANSACTION_DISPUTED' as const,
  ),
  isVerified: fc.boolean(),
  count: fc.integer({ min: 1, max: 6 }),
});
const writers = fc.array(fc.array(request, { minLength: 1, maxLength: 8 }), { minLength: 4, maxLength: 8 });

describe.each(engines)('many writers at once on %s', (engine) => {
  const own = ownDatabase(engine);
  let db: Database;
  const workers: BackgroundLoop[] = [];

  beforeAll(async () => {
    db = own.db;
    await addPlatform(db);
    for (let count = 0; count < 2; count += 1) workers.push(workerOn(db, { velocityMaxPerHour: 1_000_000 }));
    for (const worker of workers) worker.start();
  });
  afterAll(async () => {
    for (const worker of workers) await worker.stop();
  });

  test('each crossing in the snapshots is emitted exactly once, and no other', async () => {
    let run = 0;
    let crossings = 0;
    const given = fc.tuple(
      writers,
      fc.array(monitorTerms, { minLength: 4, maxLength: 4 }),
      fc.array(policyTerms, { minLength: 3, maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(given, async ([requests, monitors, policies]) => {
        run += 1;
        const users = monitors.map((_, index) => `run-${run}-${index}`);
        const monitorIds = await Promise.all(
          users.map((user, index) => addMonitor(db, user, monitors[index] ?? {})),
        );
        const policyIds = await Promise.all(policies.map((terms) => addPolicy(db, terms)));
        const ledger = ledgerOn(db);
        await Promise.all(
          requests.map(async (own) => {
            for (const { subject, count, ...more } of own) {
              await append(ledger, Array(count).fill(outcome({ externalId: users[subject] ?? '', ...more })));
              for (const worker of workers) worker.wake();
            }
          }),
        );
        await eventually(async () => (await db.query('select 1 from recompute_queue limit 1')).length === 0);
        for (const [index, user] of users.entries()) {
          const steps = await stepsOf(db, user);
          const terms = monitors[index];
          if (!terms) throw new Error('a subject without a monitor');
          const expected = steps.flatMap(({ before, after }) =>
            monitorCrossings(terms, before, after).map((crossing) => ({
              ...crossing,
              newScore: after.score,
            })),
          );
          const emitted = await monitorsEmitted(db, user);
          expect(emitted).toMatchObject(
            expected.map((entry) => ({ ...entry, monitorId: monitorIds[index] })),
          );
          expect(emitted).toHaveLength(expected.length);
          const ofPolicies = await policiesEmitted(db, user);
          crossings += emitted.length + ofPolicies.length;
          for (const [at, policyId] of policyIds.entries()) {
            const condition = policies[at];
            if (!condition) throw new Error('a policy without a condition');
            const wanted = steps.flatMap(
              ({ before, after }) => policyCrossing(condition, before, after) ?? [],
            );
            const own = ofPolicies.filter((entry) => entry.policyId === policyId);
            expect(own.map(({ observed }) => observed)).toEqual(wanted);
          }
        }
        await db.execute('update policy set is_active = false');
      }),
      { numRuns: 12 },
    );
    expect(crossings).toBeGreaterThan(20);
  });
});
