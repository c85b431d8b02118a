import { expect } from 'vitest';

/** In a shown answer: further members of the object or items of the list are left out. */
const MORE = '…';

/** Ids, tokens, times and addresses, which differ in each run. */
const VARIED =
  /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|[a-z]+_[\w-]{20,}=?|whsec_.+|https?:.+|[\w+/]{40,}=*)$/;

/**
 * What a real answer has to equal if this one is shown: the same members and values, except `VARIED` texts, texts
 * that are cut with `…`, and what `…` leaves out.
 */
export function asShown(shown: unknown): unknown {
  if (typeof shown === 'string') {
    if (shown.includes(MORE)) return expect.any(String);
    return VARIED.test(shown) ? expect.stringMatching(VARIED) : shown;
  }
  if (Array.isArray(shown)) {
    const items = shown.filter((item) => item !== MORE).map(asShown);
    return items.length < shown.length ? expect.objectContaining({ ...items }) : items;
  }
  if (typeof shown !== 'object' || shown === null) return shown;
  const { [MORE]: more, ...members } = shown as Record<string, unknown>;
  const own = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, asShown(value)]));
  return more === undefined ? own : expect.objectContaining(own);
}
