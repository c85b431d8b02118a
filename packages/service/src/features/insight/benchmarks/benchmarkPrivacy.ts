import { benchmarkDimensions, type Cohort, cohorts } from '#domain/benchmarkCohorts.js';

// The terms are those of statistical disclosure control (Hundepool et al., "Statistical Disclosure
// Control", 2012): 1 to k - 1 records are sensitive. Primary suppression hides sensitive cohorts,
// complementary suppression those from which a sensitive number follows by differencing.

/** Cells: numbers of records by the exact set of cohorts they belong to, as bits. */
export type Cells = readonly (readonly [bits: number, records: number])[];

/** An edition of the published figures, for one caller. */
export interface EditionCells {
  readonly total: Cells;
  /** The caller's records. */
  readonly own: Cells;
}

/**
 * The cohorts that a caller may see, as a set of bits (RULES B1, B2). A caller can subtract its own
 * subjects, so the threshold applies to the records of others: in each cohort, in the difference of
 * two cohorts, and in that of two dimensions (complementary suppression). Larger cohorts are
 * preferred. A cohort that kept its figures from the previous edition is visible only if it was
 * visible there: it may have been suppressed to protect another cohort.
 * @param latest `taken` are the cohorts with new figures in this edition.
 */
export function visibleCohorts(
  latest: EditionCells & { readonly taken: number },
  before: EditionCells | null,
  k: number,
): number {
  const allowed = latest.taken | (before ? unionOf(unsuppressed(before, k)) : 0);
  const others = minus(latest.total, latest.own);
  let visible = unsuppressed(latest, k).filter(({ bit }) => allowed & bit);
  for (
    let next = differencedDimension(visible, others, k);
    next;
    next = differencedDimension(visible, others, k)
  ) {
    const smallest = smallestOf(visible.filter(({ dimension }) => dimension === next));
    visible = visible.filter((cohort) => cohort !== smallest);
  }
  return unionOf(visible);
}

interface Sized extends Cohort {
  readonly size: number;
  /** Records of others. */
  readonly foreign: number;
}

/** Cohorts that are not sensitive and whose differences are not. */
function unsuppressed({ total, own }: EditionCells, k: number): Sized[] {
  const others = minus(total, own);
  const candidates = cohorts
    .map((cohort) => ({ ...cohort, size: sizeOf(total, cohort.bit), foreign: sizeOf(others, cohort.bit) }))
    .filter(({ size, foreign }) => size >= k && !isSensitive(foreign, k))
    .sort((left, right) => right.size - left.size || left.bit - right.bit);
  const kept: Sized[] = [];
  for (const candidate of candidates) {
    const isDifferenced = kept.some(({ bit }) => isSensitive(difference(others, candidate.bit, bit), k));
    if (!isDifferenced) kept.push(candidate);
  }
  return kept;
}

/** A dimension whose visible cohorts together have a sensitive difference to those of another; null: none has. */
function differencedDimension(
  visible: readonly Sized[],
  others: Cells,
  k: number,
): Cohort['dimension'] | null {
  const unions = benchmarkDimensions
    .map((dimension) => ({
      dimension,
      bits: unionOf(visible.filter((cohort) => cohort.dimension === dimension)),
    }))
    .filter(({ bits }) => bits !== 0);
  for (const [index, { dimension, bits }] of unions.entries()) {
    const isDifferenced = unions
      .slice(0, index)
      .some((earlier) => isSensitive(difference(others, earlier.bits, bits), k));
    if (isDifferenced) return dimension;
  }
  return null;
}

/** Prefers a cohort with records of others: suppressing one without them protects nobody. */
function smallestOf(sized: readonly Sized[]): Sized | undefined {
  const rank = ({ foreign, size }: Sized) => (foreign === 0 ? Number.POSITIVE_INFINITY : size);
  return [...sized].sort((left, right) => rank(left) - rank(right) || left.bit - right.bit)[0];
}

/** The threshold rule: so few records that a figure could identify one. */
function isSensitive(records: number, k: number): boolean {
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
  const isSuppressed = (index: number) => viewers.some((viewer) => allowsDifferencing(all, viewer, index, k));
  return unionOf(cohorts.filter((_, index) => !isSuppressed(index)));
}

/** The cells after the figures of the cohorts in `taken` are published. */
export function publishedCells(rows: readonly Turnover[], taken: number): Cells {
  const cells = new Map<number, number>();
  for (const { before, after, records } of rows) {
    const bits = (before & ~taken) | (after & taken);
    if (bits !== 0) cells.set(bits, (cells.get(bits) ?? 0) + records);
  }
  return [...cells];
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

/** Whether new figures less published ones are sensitive for the viewer. */
function allowsDifferencing(all: Sums, viewer: Sums, index: number, k: number): boolean {
  const others = (pick: (sums: Sums) => number | undefined) => (pick(all) ?? 0) - (pick(viewer) ?? 0);
  const isSuppressedNow = isSensitive(
    others(({ after }) => after[index]),
    k,
  );
  if (isSuppressedNow) return false;
  return cohorts.some((_, column) => {
    const wasPublished = (all.before[column] ?? 0) > 0;
    const wasSuppressed = isSensitive(
      others(({ before }) => before[column]),
      k,
    );
    const difference = others(({ apart }) => apart[index]?.[column]);
    return wasPublished && !wasSuppressed && isSensitive(difference, k);
  });
}

function sizeOf(cells: Cells, bits: number): number {
  return cells.reduce((sum, [mass, records]) => sum + (mass & bits ? records : 0), 0);
}

/** Records in one of the two sets of cohorts but not in the other. */
function difference(cells: Cells, one: number, other: number): number {
  return cells.reduce((sum, [mass, records]) => sum + (!(mass & one) === !(mass & other) ? 0 : records), 0);
}

function minus(total: Cells, own: Cells): Cells {
  const left = new Map(total);
  for (const [bits, records] of own) left.set(bits, (left.get(bits) ?? 0) - records);
  return [...left];
}

function unionOf(some: readonly Cohort[]): number {
  return some.reduce((bits, { bit }) => bits | bit, 0);
}
