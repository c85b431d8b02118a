/** One entry of `Accept`, `Accept-Language` or a similar header (RFC 9110, 12.4.2). */
export interface AcceptRange {
  /** In lower case, without parameters. */
  readonly range: string;
  /** 0 (not at all) to 1. */
  readonly weight: number;
}

/** Entries in the order of the header. Malformed ones are left out. */
export function acceptRanges(header: string): AcceptRange[] {
  return header.split(',', MAX_RANGES).flatMap((entry) => {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return range !== '' && QUALITY.test(quality) ? [{ range, weight: Number(quality) }] : [];
  });
}

const MAX_RANGES = 50;
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * The media type that the client prefers. With equal weights, without an Accept header, or if the
 * client accepts none, the first of `types`.
 */
export function preferredType<Type extends string>(
  accept: string | undefined,
  types: readonly [Type, ...Type[]],
): Type {
  const ranges = acceptRanges(accept ?? '');
  const weightOf = (type: string) => {
    const [group] = type.split('/');
    for (const name of [type, `${group}/*`, '*/*']) {
      const found = ranges.find(({ range }) => range === name);
      if (found) return found.weight;
    }
    return 0;
  };
  return types.reduce((best, type) => (weightOf(type) > weightOf(best) ? type : best), types[0]);
}
