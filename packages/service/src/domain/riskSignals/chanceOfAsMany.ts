/**
 * P(X ≥ count) of a Poisson distribution; summed from `count` upwards, where little is lost to
 * rounding.
 */
export function chanceOfAsMany(count: number, mean: number): number {
  if (count <= mean) return 1;
  let logTerm = -mean;
  for (let index = 1; index <= count; index += 1) logTerm += Math.log(mean / index);
  let term = Math.exp(logTerm);
  let sum = 0;
  for (let index = count; term > sum * 1e-12 && index < count + 10_000; index += 1) {
    sum += term;
    term *= mean / (index + 1);
  }
  return Math.min(1, sum);
}
