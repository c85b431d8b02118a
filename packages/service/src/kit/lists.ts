/** Groups items by a key. Keys and items keep their order. (Node 20 has no Map.groupBy.) */
export function groupBy<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Compares by code units, so every process sorts the same way, whatever its locale. */
export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

export function mapValues<From, To>(
  from: Readonly<Record<string, From>>,
  to: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value, name)]));
}

/** Without the fields that a body left out, so that they do not overwrite stored values. */
export function withoutUndefined<Body extends object>(body: Body) {
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Body]?: Exclude<Body[Name], undefined> };
}
