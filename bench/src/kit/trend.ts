/** A straight line through points, by least squares. */
export interface Slope {
  readonly perX: number;
  readonly standardError: number;
}

export function slopeOf(points: readonly (readonly [x: number, y: number])[]): Slope {
  const count = points.length;
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / count;
  const [meanX, meanY] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const perX = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const residue = points.reduce((sum, [x, y]) => sum + (y - meanY - perX * (x - meanX)) ** 2, 0);
  return { perX, standardError: Math.sqrt(residue / (count - 2) / spread) };
}

/** The part of a list between two fractions of its length. */
export function between<T>(list: readonly T[], from: number, to: number): readonly T[] {
  return list.slice(Math.round(from * list.length), Math.round(to * list.length));
}

/** The part of a list after its first quarter, in which a process fills its caches. */
export function afterWarmUp<T>(list: readonly T[]): readonly T[] {
  return between(list, 0.25, 1);
}
