import { type Factor, factorNames } from '@reliability/scoring';

export type FactorShares = Readonly<Record<Factor, number>>;

export interface FactorChange {
  readonly factor: Factor;
  readonly before: number;
  readonly after: number;
  readonly delta: number;
}

/** The changes of the factors. Their deltas sum to the change of the score (RULES S5). */
export function factorChanges(before: FactorShares, after: FactorShares): FactorChange[] {
  return factorNames.map((factor) => ({
    factor,
    before: before[factor],
    after: after[factor],
    delta: pointsBetween(before[factor], after[factor]),
  }));
}

/** The factor that changed most, the first of equals; null if none changed. */
export function topDriverOf(changes: readonly FactorChange[]): { factor: Factor; delta: number } | null {
  const [first, ...others] = changes;
  if (!first) return null;
  const top = others.reduce(
    (best, entry) => (Math.abs(entry.delta) > Math.abs(best.delta) ? entry : best),
    first,
  );
  return top.delta === 0 ? null : { factor: top.factor, delta: top.delta };
}

/**
 * Exact in hundredths, the precision of published points, unlike a difference of binary fractions.
 */
export function pointsBetween(before: number, after: number): number {
  const hundredths = Math.round(after * 100) - Math.round(before * 100);
  return hundredths / 100;
}
