import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BenchmarkDimension,
  benchmarkDimensions,
  cohorts,
  cohortsOf,
} from '#domain/benchmarkCohorts.js';
import {
  type Cells,
  publishedCells,
  refreshableCohorts,
  type Turnover,
  visibleCohorts,
} from '../../src/features/insight/benchmarks/benchmarkPrivacy.js';

/** A record: its platforms, and its cohort on each day (0: absent). */
interface Life {
  owners: readonly number[];
  bits: readonly number[];
}

const DAYS = 4;
/** A platform without a subject in the universe. */
const NEWCOMER = -1;

const bitsOf = fc
  .tuple(
    ...benchmarkDimensions.map((dimension) => fc.constantFrom(...cohortsOf(dimension).map(({ bit }) => bit))),
  )
  .map((bits) => bits.reduce((all, bit) => all | bit, 0));

// Mostly as the day before: small changes of a population are what reveals a member.
const change = fc.oneof(
  { weight: 12, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: bitsOf },
  { weight: 1, arbitrary: fc.constant(0) },
);

const life: fc.Arbitrary<Life> = fc
  .record({
    owners: fc.oneof(
      { weight: 6, arbitrary: fc.nat(3).map((owner) => [owner]) },
      { weight: 1, arbitrary: fc.uniqueArray(fc.nat(3), { minLength: 2, maxLength: 3 }) },
    ),
    first: fc.oneof({ weight: 8, arbitrary: bitsOf }, { weight: 1, arbitrary: fc.constant(0) }),
    changes: fc.array(change, { minLength: DAYS - 1, maxLength: DAYS - 1 }),
  })
  .map(({ owners, first, changes }) => {
    const bits = [first];
    for (const next of changes) bits.push(next ?? bits.at(-1) ?? 0);
    return { owners, bits };
  });

describe('the privacy of cohorts', () => {
  test('two answered reads of a caller never differ by fewer than k other records', () => {
    fc.assert(
      fc.property(
        fc.array(life, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 2, max: 6 }),
        (lives, k) => {
          let before: Day | null = null;
          for (let day = 0; day < DAYS; day += 1) {
            const today = publish(lives, day, before, k);
            for (const [viewer, visible] of today.visible) {
              const foreign = (index: number) => !lives[index]?.owners.includes(viewer);
              const reads = setsOf(today.published, visible);
              const earlier = before ? setsOf(before.published, before.visible.get(viewer) ?? 0) : [];
              for (const read of reads) {
                expect(read.size).toBeGreaterThanOrEqual(k);
                for (const other of [...reads, ...earlier, new Set<number>()]) {
                  expectNoneOrMany(apart(read, other).filter(foreign).length, k);
                }
              }
              for (const rest of leftovers(today.published, visible)) {
                expectNoneOrMany(rest.filter(foreign).length, k);
              }
            }
            before = today;
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a universe of one platform is shown wherever it reaches k', () => {
    fc.assert(
      fc.property(fc.array(life, { maxLength: 40 }), fc.integer({ min: 1, max: 6 }), (lives, k) => {
        const alone = lives.map((record) => ({ ...record, owners: [0] }));
        let before: Day | null = null;
        for (let day = 0; day < DAYS; day += 1) {
          const today = publish(alone, day, before, k);
          const current = alone.map(({ bits }) => bits[day] ?? 0);
          const large = cohorts.filter(({ bit }) => current.filter((bits) => bits & bit).length >= k);
          expect(today.visible.get(0) ?? 0).toBe(large.reduce((bits, { bit }) => bits | bit, 0));
          before = today;
        }
      }),
      { numRuns: 100 },
    );
  });

  test('a cohort keeps its figures until enough of its members have changed', () => {
    const everyone = 1 | 2 | 16 | 256 | 4096;
    const change = (newcomers: number): Turnover[] => [
      { before: everyone, after: everyone, records: 50 },
      { before: 0, after: everyone, records: newcomers },
    ];
    const parts = (newcomers: number) => [
      [{ before: everyone, after: everyone, records: 20 }],
      [{ before: everyone, after: everyone, records: 30 }, ...change(newcomers).slice(1)],
    ];
    expect(refreshableCohorts(change(19), parts(19), 20) & everyone).toBe(0);
    expect(refreshableCohorts(change(20), parts(20), 20) & everyone).toBe(everyone);
    expect(refreshableCohorts(change(0), parts(0), 20) & everyone).toBe(everyone);
  });

  test('a cohort without the caller’s subjects must reach k, unless all are the caller’s', () => {
    const total: Cells = [[1, 30]];
    const seen = (own: number) => visibleCohorts({ total, own: [[1, own]], taken: 1 }, null, 20);
    expect([seen(0), seen(10), seen(11), seen(29), seen(30)]).toEqual([1, 1, 0, 0, 1]);
  });
});

interface Day {
  published: number[];
  cells: Cells;
  own: Map<number, Cells>;
  visible: Map<number, number>;
}

/** The sweep and the reads of a day, on plain sets. */
function publish(lives: readonly Life[], day: number, before: Day | null, k: number): Day {
  const rows = lives.map(({ owners, bits }, index) => ({
    owners,
    before: before?.published[index] ?? 0,
    after: bits[day] ?? 0,
    records: 1,
  }));
  const present = rows.filter((row) => row.before !== 0 || row.after !== 0);
  const parts = new Map<number, Turnover[]>();
  for (const row of present) {
    for (const owner of row.owners) parts.set(owner, [...(parts.get(owner) ?? []), row]);
  }
  const taken = refreshableCohorts(present, parts.values(), k);
  const published = rows.map((row) => (row.before & ~taken) | (row.after & taken));
  const cells = publishedCells(present, taken);
  const own = new Map([...parts].map(([owner, part]) => [owner, publishedCells(part, taken)]));
  const viewers = parts.size > 1 ? [...parts.keys(), NEWCOMER] : [...parts.keys()];
  const visible = new Map(
    viewers.map((viewer) => {
      const earlier = before ? { total: before.cells, own: before.own.get(viewer) ?? [] } : null;
      return [viewer, visibleCohorts({ total: cells, own: own.get(viewer) ?? [], taken }, earlier, k)];
    }),
  );
  return { published, cells, own, visible };
}

function setsOf(published: readonly number[], visible: number): Set<number>[] {
  return cohorts.filter(({ bit }) => visible & bit).map(({ bit }) => membersOf(published, bit));
}

function membersOf(published: readonly number[], bits: number): Set<number> {
  return new Set(published.flatMap((mask, index) => (mask & bits ? [index] : [])));
}

/**
 * The differences between the total and the visible cohorts of each dimension, and between
 * dimensions.
 */
function leftovers(published: readonly number[], visible: number): number[][] {
  const union = (dimension: BenchmarkDimension) =>
    cohortsOf(dimension).reduce((bits, { bit }) => bits | (bit & visible), 0);
  const unions = benchmarkDimensions.map(union).filter((bits) => bits !== 0);
  return unions.flatMap((one) =>
    unions.map((other) => apart(membersOf(published, one), membersOf(published, other))),
  );
}

function apart(one: ReadonlySet<number>, other: ReadonlySet<number>): number[] {
  return [...[...one].filter((index) => !other.has(index)), ...[...other].filter((index) => !one.has(index))];
}

function expectNoneOrMany(count: number, k: number): void {
  if (count > 0 && count < k) throw new Error(`${count} of others, where none or ${k} may be told apart`);
}
