import { benchmarkDimensions, type Cohort, cohorts } from '../../../domain/benchmarkCohorts.js';

/** Numbers of records by the exact set of cohorts they belong to, as bits. */
export type Masses = readonly (readonly [bits: number, records: number])[];

/** An edition of the published figures, for one caller. */
export interface EditionMasses {
  readonly total: Masses;
  /** The caller's records. */
  readonly own: Masses;
}

/**
 * The cohorts that a caller may see, as a set of bits (RULES B1, B2). A caller can subtract its own
 * subjects, so all limits except the size apply to the records of others. The number of such
 * records must be 0 or at least k in each cohort, in the difference of two cohorts, and in the
 * difference of two dimensions (complementary suppression: the remainder outside the visible
 * cohorts is 0 or at least k). Larger cohorts are preferred. A cohort that kept its figures from
 * the previous edition is visible only if it was visible there: it may have been hidden to protect
 * another cohort.
 * @param latest `taken` are the cohorts with new figures in this edition.
 */
export function visibleCohorts(
  latest: EditionMasses & { readonly taken: number },
  before: EditionMasses | null,
  k: number,
): number {
  const allowed = latest.taken | (before ? unionOf(distinguishable(before, k)) : 0);
  const others = minus(latest.total, latest.own);
  let visible = distinguishable(latest, k).filter(({ bit }) => allowed & bit);
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

/** Cohorts that are large enough and differ sufficiently from each other. */
function distinguishable({ total, own }: EditionMasses, k: number): Sized[] {
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

/**
 * A dimension whose visible cohorts together differ too little from those of another dimension;
 * null if there is none.
 */
function closeDimension(visible: readonly Sized[], others: Masses, k: number): Cohort['dimension'] | null {
  const unions = benchmarkDimensions
    .map((dimension) => ({
      dimension,
      bits: unionOf(visible.filter((cohort) => cohort.dimension === dimension)),
    }))
    .filter(({ bits }) => bits !== 0);
  for (const [index, { dimension, bits }] of unions.entries()) {
    const isClose = unions
      .slice(0, index)
      .some((earlier) => isExposed(difference(others, earlier.bits, bits), k));
    if (isClose) return dimension;
  }
  return null;
}

/** Prefers a cohort with records of others: hiding one without them protects nobody. */
function smallestOf(sized: readonly Sized[]): Sized | undefined {
  const rank = ({ foreign, size }: Sized) => (foreign === 0 ? Number.POSITIVE_INFINITY : size);
  return [...sized].sort((left, right) => rank(left) - rank(right) || left.bit - right.bit)[0];
}

/** So few records that a figure could identify one. */
function isExposed(records: number, k: number): boolean {
  return records > 0 && records < k;
}

/**
 * The number of records whose published cohorts are `before` and whose current cohorts are `after`.
 */
export interface Turnover {
  readonly before: number;
  readonly after: number;
  readonly records: number;
}

/**
 * The cohorts that may get new figures, as a set of bits: no viewer may find a difference of fewer
 * than k records of others to any figure published before. The rest keep their figures until enough
 * records have changed.
 * @param own the turnover of each platform's own records.
 */
export function refreshableCohorts(
  total: readonly Turnover[],
  own: Iterable<readonly Turnover[]>,
  k: number,
): number {
  const all = sumsOf(total);
  const parts = [...own].map(sumsOf);
  // A single platform sees only its own records. With several, assume a viewer with no records of
  // its own.
  const viewers = parts.length > 1 ? [...parts, sumsOf([])] : parts;
  const isWithheld = (index: number) => viewers.some((viewer) => givesAway(all, viewer, index, k));
  return unionOf(cohorts.filter((_, index) => !isWithheld(index)));
}

/** The masses after the figures of the cohorts in `taken` are published. */
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
  /** By the new cohort, then by the published one. */
  readonly apart: readonly (readonly number[])[];
}

function sumsOf(rows: readonly Turnover[]): Sums {
  const zeros = () => cohorts.map(() => 0);
  const [before, after, apart] = [zeros(), zeros(), cohorts.map(zeros)];
  for (const turnover of rows) {
    cohorts.forEach(({ bit }, index) => {
      const isIn = (turnover.after & bit) !== 0;
      if (isIn) after[index] = (after[index] ?? 0) + turnover.records;
      if (turnover.before & bit) before[index] = (before[index] ?? 0) + turnover.records;
      const row = apart[index] ?? [];
      cohorts.forEach((published, column) => {
        const wasIn = (turnover.before & published.bit) !== 0;
        if (isIn !== wasIn) row[column] = (row[column] ?? 0) + turnover.records;
      });
    });
  }
  return { before, after, apart };
}

/**
 * Whether the viewer could compare the new figures with published ones that differ by fewer than k
 * records of others.
 */
function givesAway(all: Sums, viewer: Sums, index: number, k: number): boolean {
  const others = (pick: (sums: Sums) => number | undefined) => (pick(all) ?? 0) - (pick(viewer) ?? 0);
  const isHidden = isExposed(
    others(({ after }) => after[index]),
    k,
  );
  if (isHidden) return false;
  return cohorts.some((_, column) => {
    const wasPublished = (all.before[column] ?? 0) > 0;
    const wasHidden = isExposed(
      others(({ before }) => before[column]),
      k,
    );
    const difference = others(({ apart }) => apart[index]?.[column]);
    return wasPublished && !wasHidden && isExposed(difference, k);
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
