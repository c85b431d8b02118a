/** Compares by code units, so every process sorts the same way, whatever its locale. */
export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
