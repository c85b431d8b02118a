/** In a shown answer: further members of the object or items of the list are left out. */
const MORE = '…';

/**
 * Compares a shown answer with a real one and lists the differences. Members and types are equal
 * unless the shown object has a member `…`. Values are equal, too, except ids, tokens, times,
 * addresses and texts that are cut with `…`.
 */
export function differences(shown: unknown, real: unknown, path = ''): string[] {
  if (typeof shown === 'string' && shown.includes(MORE)) {
    return typeof real === 'string' ? [] : [`${path}: a text is shown for ${JSON.stringify(real)}`];
  }
  if (Array.isArray(shown)) return listDifferences(shown, real, path);
  if (typeof shown === 'object' && shown !== null) return objectDifferences(shown, real, path);
  if (shown === real) return [];
  const isVaried =
    typeof shown === 'string' && typeof real === 'string' && VARIED.test(shown) && VARIED.test(real);
  return isVaried ? [] : [`${path}: ${JSON.stringify(shown)} is shown for ${JSON.stringify(real)}`];
}

const VARIED =
  /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|[a-z]+_[\w-]{20,}=?|whsec_.+|https?:.+|[\w+/]{40,}=*)$/;

function listDifferences(shown: readonly unknown[], real: unknown, path: string): string[] {
  if (!Array.isArray(real)) return [`${path}: a list is shown for ${JSON.stringify(real)}`];
  const items = shown.filter((item) => item !== MORE);
  const isPart = items.length < shown.length;
  if (isPart ? real.length < items.length : real.length !== items.length) {
    return [`${path}: ${items.length} items are shown for ${real.length}`];
  }
  return items.flatMap((item, index) => differences(item, real[index], `${path}[${index}]`));
}

function objectDifferences(shown: object, real: unknown, path: string): string[] {
  if (typeof real !== 'object' || real === null || Array.isArray(real)) {
    return [`${path}: an object is shown for ${JSON.stringify(real)}`];
  }
  const { [MORE]: more, ...members } = shown as Record<string, unknown>;
  const actual = real as Record<string, unknown>;
  const missing = Object.keys(actual).filter((name) => !Object.hasOwn(members, name));
  return [
    ...(more === undefined ? missing.map((name) => `${path}.${name} is not shown`) : []),
    ...Object.entries(members).flatMap(([name, value]) =>
      Object.hasOwn(actual, name)
        ? differences(value, actual[name], `${path}.${name}`)
        : [`${path}.${name} is not in the answer`],
    ),
  ];
}
