import { benchmarkDimensions, type Cohort, cohorts } from '../../../domain/benchmarkCohorts.js';

/** How many records are in exactly these cohorts: a set of bits, and a count. */
export type Masses = readonly (readonly [bits: number, records: number])[];

/** An edition of the published figures, as one caller meets it. */
export interface EditionMasses {
  readonly total: Masses;
  /** The caller's part. */
  readonly own: Masses;
}

/**
 * The cohorts that a caller may see, as a set of bits (RULES B1, B2). What a caller knows of its own subjects it can
 * subtract, so everything but the size is measured on the others' records: in a cohort there are none or k, in what tells two
 * cohorts apart there are none or k, and neither may whole dimensions differ by fewer (complementary suppression: what visible
 * cohorts leave of everyone is none or k, too). Larger cohorts are preferred. A cohort that stands as it was in the edition before
 * is seen only if it could be seen then: it may have been hidden for the sake of one that was shown.
 * @param taken the cohorts made anew in the latest edition.
 */
export function visibleCohorts(
  latest: EditionMasses & { readonly taken: number },
  before: EditionMasses | null,
  k: number,
): number {
  const allowed = latest.taken | (before ? unionOf(tellableApart(before, k)) : 0);
  const others = minus(latest.total, latest.own);
  let visible = tellableApart(latest, k).filter(({ bit }) => allowed & bit);
  for (let close = closeDimension(visible, others, k); close; close = closeDimension(visible, others, k)) {
    const smallest = smallestOf(visible.filter(({ dimension }) => dimension === close));
    visible = visible.filter((cohort) => cohort !== smallest);
  }
  return unionOf(visible);
}

interface Sized extends Cohort {
  readonly size: number;
  /** Records of others. */
  readonly foreign: number;
}

/** Cohorts that are large enough, each as far from every other one here as it must be. */
function tellableApart({ total, own }: EditionMasses, k: number): Sized[] {
  const others = minus(total, own);
  const candidates = cohorts
    .map((cohort) => ({ ...cohort, size: sizeOf(total, cohort.bit), foreign: sizeOf(others, cohort.bit) }))
    .filter(({ size, foreign }) => size >= k && !isExposed(foreign, k))
    .sort((left, right) => right.size - left.size || left.bit - right.bit);
  const apart: Sized[] = [];
  for (const candidate of candidates) {
    const isClose = apart.some(({ bit }) => isExposed(difference(others, candidate.bit, bit), k));
    if (!isClose) apart.push(candidate);
  }
  return apart;
}

/** A dimension whose visible cohorts together come too close to those of another one; null where none does. */
function closeDimension(visible: readonly Sized[], others: Masses, k: number): Cohort['dimension'] | null {
  const unions = benchmarkDimensions
    .map((dimension) => ({
      dimension,
      bits: unionOf(visible.filter((cohort) => cohort.dimension === dimension)),
    }))
    .filter(({ bits }) => bits !== 0);
  for (const [place, { dimension, bits }] of unions.entries()) {
    const isClose = unions
      .slice(0, place)
      .some((earlier) => isExposed(difference(others, earlier.bits, bits), k));
    if (isClose) return dimension;
  }
  return null;
}

/** One with records of others in it, where there is any: without, hiding it would hide nobody. */
function smallestOf(sized: readonly Sized[]): Sized | undefined {
  const rank = ({ foreign, size }: Sized) => (foreign === 0 ? Number.POSITIVE_INFINITY : size);
  return [...sized].sort((left, right) => rank(left) - rank(right) || left.bit - right.bit)[0];
}

/** So few that they could be told of one by one. */
function isExposed(records: number, k: number): boolean {
  return records > 0 && records < k;
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

/** How many records are in exactly these cohorts once those taken are published. */
export function publishedMasses(rows: readonly Turnover[], taken: number): Masses {
  const masses = new Map<number, number>();
  for (const { before, after, records } of rows) {
    const bits = (before & ~taken) | (after & taken);
    if (bits !== 0) masses.set(bits, (masses.get(bits) ?? 0) + records);
  }
  return [...masses];
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
  if (
    isExposed(
      others(({ after }) => after[index]),
      k,
    )
  )
    return false; // never shown to this viewer
  return cohorts.some((_, column) => {
    const wasPublished = (all.before[column] ?? 0) > 0;
    if (
      !wasPublished ||
      isExposed(
        others(({ before }) => before[column]),
        k,
      )
    )
      return false;
    return isExposed(
      others(({ apart }) => apart[index]?.[column]),
      k,
    );
  });
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
