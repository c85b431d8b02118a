import { type Factor, factorNames } from '@reliability/scoring';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { DAY_MS, reportAll } from '../insight/recordFixtures.js';

type Shares = Record<Factor, number>;

const outcome = fc.record({
  eventType: fc.constantFrom(
    'CONTRACT_BREACHED',
    'CONTRACT_FULFILLED',
    'TRANSACTION_COMPLETED',
    'TRANSACTION_DISPUTED',
  ),
  isVerified: fc.boolean(),
  stakeLevel: fc.constantFrom('LOW', 'MEDIUM', 'HIGH'),
});
const adverse = fc.record({
  eventType: fc.constant('CONTRACT_BREACHED'),
  isVerified: fc.constant(false),
  stakeLevel: fc.constantFrom('LOW', 'HIGH'),
});
/** Some outcomes at once, or days that pass. Mostly outcomes that keep a score at its floor. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.array(outcome, { minLength: 1, maxLength: 3 }) },
  { weight: 3, arbitrary: fc.array(adverse, { minLength: 1, maxLength: 2 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 200 }) },
);

describe.each(breadth)('explain and delta on %s', (engine) => {
  let now = new Date('2024-02-10T12:00:00.000Z');
  let number = 0;
  const service = givenService(engine, { clock: { now: () => now } });

  const read = async (id: string, what: string) =>
    (await service.request('GET', `/users/${id}/score/${what}`)).body;
  const stateOf = async (id: string) => {
    const { factors } = await read(id, 'explain');
    const shares = factors.map((share: { name: Factor; contribution: number }) => [
      share.name,
      share.contribution,
    ]);
    return {
      shares: Object.fromEntries(shares) as Shares,
      entries: (await read(id, 'history')).history.length,
    };
  };
  const hundredths = (points: number) => Math.round(points * 100);

  async function take(id: string, chosen: object[] | number): Promise<void> {
    if (typeof chosen !== 'number') return void (await reportAll(service, id, chosen));
    now = new Date(now.getTime() + chosen * DAY_MS);
    await service.request('POST', '/admin/sweeps/decay', { admin: true });
    await service.settle();
  }

  async function playAll(steps: readonly (object[] | number)[]): Promise<void> {
    number += 1;
    const id = `history-${number}`;
    await take(id, [{ eventType: 'CONTRACT_BREACHED' }]);
    let before = await stateOf(id);
    for (const chosen of steps) {
      await take(id, chosen);
      const after = await stateOf(id);
      if (after.entries === before.entries) expect(after.shares).toEqual(before.shares);
      else await compareDelta(id, before.shares, after.shares);
      before = after;
    }
  }

  async function compareDelta(id: string, before: Shares, after: Shares): Promise<void> {
    const { factors, delta } = await read(id, 'delta');
    for (const name of factorNames) {
      const entry = factors.find(({ factor }: { factor: Factor }) => factor === name);
      expect([entry.before, entry.after], name).toEqual([before[name], after[name]]);
      expect(hundredths(entry.delta), name).toBe(hundredths(after[name]) - hundredths(before[name]));
    }
    const sum = factors.reduce(
      (total: number, entry: { delta: number }) => total + hundredths(entry.delta),
      0,
    );
    expect(sum).toBe(hundredths(delta));
  }

  test('agree for every factor after each change, also of a score that stays at its floor', async () => {
    await playAll([120, [{ eventType: 'CONTRACT_BREACHED' }], 400, 30]);
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), playAll), {
      numRuns: engine === 'pglite' ? 12 : 6,
    });
  });
});
