/**
 * At most `most` points that show the same course: the first, the last, and of every equal stretch of time between them the last.
 * @param points oldest first.
 */
export function thinned<Point extends { readonly computedAt: Date }>(
  points: readonly Point[],
  most: number,
): readonly Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length <= most) return points;
  const startMs = first.computedAt.getTime();
  const spanMs = Math.max(1, last.computedAt.getTime() - startMs);
  const stretches = most - 1;
  const stretchOf = ({ computedAt }: Point) =>
    Math.min(stretches - 1, Math.floor(((computedAt.getTime() - startMs) / spanMs) * stretches));
  return points.filter((point, place) => {
    const next = points[place + 1];
    return place === 0 || !next || stretchOf(next) !== stretchOf(point);
  });
}
