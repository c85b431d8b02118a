import { type Factor, factorNames } from '@reliability/scoring';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ingestibleEventTypes } from '#domain/catalogues/enums.js';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { DAY_MS, reportAll } from '../insight/recordFixtures.js';

type Shares = ReadonlyMap<Factor, number>;
interface Share {
  name: Factor;
  contribution: number;
}
interface Change {
  factor: Factor;
  before: number;
  after: number;
  delta: number;
}

const outcome = fc.record({
  eventType: fc.constantFrom(...ingestibleEventTypes),
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
    const shares = new Map<Factor, number>(factors.map((share: Share) => [share.name, share.contribution]));
    return { shares, entries: (await read(id, 'history')).history.length };
  };
  const hundredths = (points: number) => Math.round(points * 100);

  async function take(id: string, chosen: object[] | number): Promise<void> {
    if (typeof chosen !== 'number') {
      await reportAll(service, id, chosen);
      return;
    }
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
    const { factors, delta }: { factors: Change[]; delta: number } = await read(id, 'delta');
    expect(factors.map(({ factor }) => factor).sort()).toEqual([...factorNames].sort());
    for (const change of factors) {
      const [from = 0, to = 0] = [before.get(change.factor), after.get(change.factor)];
      expect([change.before, change.after], change.factor).toEqual([from, to]);
      expect(hundredths(change.delta), change.factor).toBe(hundredths(to) - hundredths(from));
    }
    expect(factors.reduce((sum, change) => sum + hundredths(change.delta), 0)).toBe(hundredths(delta));
  }

  test('agree for every factor after each change, also of a score that stays at its floor', async () => {
    await playAll([120, [{ eventType: 'CONTRACT_BREACHED' }], 400, 30]);
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), playAll), {
      numRuns: engine === 'pglite' ? 12 : 6,
    });
  });
});
