/** For sorting texts by their code units, as every process sorts them, whatever its language. */
export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
