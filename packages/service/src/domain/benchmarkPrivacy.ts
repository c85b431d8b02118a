import { benchmarkDimensions, type Cohort, cohorts } from './benchmarkCohorts.js';

/** How many records are in exactly these cohorts: a set of bits, and a count. */
export type Masses = readonly (readonly [bits: number, records: number])[];

/**
 * The cohorts that a caller may see, as a set of bits (STANDARDS 9, DECISIONS 4). What a caller knows of its own subjects it can
 * subtract, so everything but the size is measured on the others' records: in a cohort there are none or k, in what tells two
 * cohorts apart there are none or k, and neither may whole dimensions differ by fewer (which is complementary suppression: a
 * hidden cohort is not what the visible ones leave of everyone). Larger cohorts are preferred.
 */
export function visibleCohorts(total: Masses, own: Masses, k: number): number {
  const others = minus(total, own);
  const isSafe = (size: number) => size === 0 || size >= k;
  const candidates = cohorts
    .map((cohort) => ({ ...cohort, size: sizeOf(total, cohort.bit), foreign: sizeOf(others, cohort.bit) }))
    .filter(({ size, foreign }) => size >= k && isSafe(foreign))
    .sort((left, right) => right.size - left.size || left.bit - right.bit);
  let visible: typeof candidates = [];
  for (const candidate of candidates) {
    const isApart = visible.every(({ bit }) => isSafe(difference(others, candidate.bit, bit)));
    if (isApart) visible.push(candidate);
  }
  for (let tooClose = closeDimension(visible, others, isSafe); tooClose; ) {
    const smallest = smallestOf(visible.filter(({ dimension }) => dimension === tooClose));
    visible = visible.filter((cohort) => cohort !== smallest);
    tooClose = closeDimension(visible, others, isSafe);
  }
  return unionOf(visible);
}

/** Records that were in the published cohorts `before` and belong into `after`. */
export interface Turnover {
  readonly before: number;
  readonly after: number;
  readonly records: number;
}

/**
 * The cohorts whose figures may be made anew, as a set of bits: those that nobody could hold against any figure published so far
 * and find fewer than k records of others between the two. The rest stands as it was, until enough has changed.
 * @param own the part of each platform.
 */
export function refreshableCohorts(
  total: readonly Turnover[],
  own: Iterable<readonly Turnover[]>,
  k: number,
): number {
  const all = sumsOf(total);
  const parts = [...own].map(sumsOf);
  // Alone in the universe a platform sees nobody's records but its own. Else somebody with next to nothing in it reads, too.
  const viewers = parts.length > 1 ? [...parts, sumsOf([])] : parts;
  const isHeldBack = (index: number) => viewers.some((viewer) => givesAway(all, viewer, index, k));
  return unionOf(cohorts.filter((_, index) => !isHeldBack(index)));
}

interface Sums {
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** By the cohort made anew, then by the one published. */
  readonly apart: readonly (readonly number[])[];
}

function sumsOf(rows: readonly Turnover[]): Sums {
  const zeros = () => cohorts.map(() => 0);
  const [before, after, apart] = [zeros(), zeros(), cohorts.map(zeros)];
  for (const row of rows) {
    cohorts.forEach(({ bit }, index) => {
      const isIn = (row.after & bit) !== 0;
      if (isIn) after[index] = (after[index] ?? 0) + row.records;
      if (row.before & bit) before[index] = (before[index] ?? 0) + row.records;
      const line = apart[index] ?? [];
      cohorts.forEach((published, column) => {
        if (isIn !== ((row.before & published.bit) !== 0)) line[column] = (line[column] ?? 0) + row.records;
      });
    });
  }
  return { before, after, apart };
}

/** Whether the viewer may see the cohort made anew and some published one that differs from it by fewer than k of others. */
function givesAway(all: Sums, viewer: Sums, index: number, k: number): boolean {
  const others = (pick: (sums: Sums) => number | undefined) => (pick(all) ?? 0) - (pick(viewer) ?? 0);
  const isExposed = (size: number) => size > 0 && size < k;
  if (isExposed(others(({ after }) => after[index]))) return false; // never shown to this viewer
  return cohorts.some((_, column) => {
    const wasPublished = (all.before[column] ?? 0) > 0;
    if (!wasPublished || isExposed(others(({ before }) => before[column]))) return false;
    return isExposed(others(({ apart }) => apart[index]?.[column]));
  });
}

interface Sized extends Cohort {
  readonly size: number;
  readonly foreign: number;
}

/** A dimension whose visible cohorts together come too close to those of another one; null where none does. */
function closeDimension(
  visible: readonly Sized[],
  others: Masses,
  isSafe: (size: number) => boolean,
): Cohort['dimension'] | null {
  const unions = benchmarkDimensions
    .map((dimension) => ({ dimension, bits: unionOf(visible.filter((cohort) => cohort.dimension === dimension)) }))
    .filter(({ bits }) => bits !== 0);
  for (const [place, { dimension, bits }] of unions.entries()) {
    const isClose = unions.slice(0, place).some((earlier) => !isSafe(difference(others, earlier.bits, bits)));
    if (isClose) return dimension;
  }
  return null;
}

/** One with records of others in it, where there is any: without, hiding it would hide nobody. */
function smallestOf(sized: readonly Sized[]): Sized | undefined {
  const rank = ({ foreign, size }: Sized) => (foreign === 0 ? Number.POSITIVE_INFINITY : size);
  return [...sized].sort((left, right) => rank(left) - rank(right) || left.bit - right.bit)[0];
}

function sizeOf(masses: Masses, bits: number): number {
  return masses.reduce((sum, [mass, records]) => sum + (mass & bits ? records : 0), 0);
}

/** Records in one of the two sets of cohorts but not in the other. */
function difference(masses: Masses, one: number, other: number): number {
  return masses.reduce((sum, [mass, records]) => sum + (!(mass & one) === !(mass & other) ? 0 : records), 0);
}

function minus(total: Masses, own: Masses): Masses {
  const left = new Map(total);
  for (const [bits, records] of own) left.set(bits, (left.get(bits) ?? 0) - records);
  return [...left];
}

function unionOf(some: readonly Cohort[]): number {
  return some.reduce((bits, { bit }) => bits | bit, 0);
}
