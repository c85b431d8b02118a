/** The same names with other values. */
export function mapValues<From, To>(
  from: Readonly<Record<string, From>>,
  to: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value, name)]));
}
