import fc from 'fast-check';

const text = (length: number) => 'x'.repeat(length);

/** Values that no operation expects and that code often fails to handle. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 0.1, 1e-320, 1e15, 1e16, 1e308, 2 ** 53, -(2 ** 63)),
  fc.constantFrom('', ' ', '\0', 'a\0b', '\ud800', 'a\udfff', '\u202e', '\ufeff', '🙂'),
  fc.constantFrom('.', '..', '__proto__', 'constructor', 'NaN', 'Infinity', 'null', '[]'),
  fc.constantFrom(text(255), text(256), text(2001), text(100_000), '🙂'.repeat(256)),
  fc.constantFrom("' or 1=1 --", '$1', '%s', '\\', '{{7*7}}', '<script>', '=cmd()'),
  fc.constantFrom('2026-02-30', '2026-02-30T00:00:00Z', '2026-11-21T12:00:60Z', '2026-11-21T24:00:00Z'),
  fc.constantFrom('2026-11-21T12:00:00+99:99', '2026-11-21 12:00', '1e9'),
  fc.constantFrom('0000-01-01T00:00:00Z', '0001-01-01', '9999-12-31T23:59:59.999Z'),
  fc.constantFrom('-000001-01-01T00:00:00Z', '+275760-09-13T00:00:00.000Z', '+275760-09-13T00:00:00.001Z'),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(nested(50), nested(500), { ...Array(500) }, Array(101).fill({}), Array(5000).fill(0)),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** A copy of an example with one to three values changed, removed or added. */
export function mutated(example: unknown): fc.Arbitrary<unknown> {
  const change = fc.record({ at: fc.nat(), how: fc.constantFrom('set', 'drop', 'add'), value: oddValue });
  return fc.array(change, { maxLength: 3 }).map((changes) => {
    let result = structuredClone(example);
    for (const { at, how, value } of changes) result = changed(result, at, how, value);
    return result;
  });
}

interface Location {
  holder: object;
  key: string;
}

function changed(root: unknown, at: number, how: string, value: unknown): unknown {
  const locations = locationsIn(root);
  const location = locations[at % (locations.length + 1)];
  if (!location) return how === 'set' ? structuredClone(value) : root;
  if (how === 'drop') Reflect.deleteProperty(location.holder, location.key);
  else if (how === 'set') put(location.holder, location.key, value);
  else put(location.holder, at % 2 === 0 ? '__proto__' : 'unforeseen', value);
  return root;
}

/** Assigning to `__proto__` would change the prototype instead of adding a field of that name. */
function put(holder: object, key: string, value: unknown): void {
  const own = structuredClone(value);
  Object.defineProperty(holder, key, { value: own, enumerable: true, configurable: true, writable: true });
}

function locationsIn(root: unknown): Location[] {
  const locations: Location[] = [];
  const pending = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      locations.push({ holder: value, key });
      pending.push(inner);
    }
  }
  return locations;
}
