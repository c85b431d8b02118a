import { createHash } from 'node:crypto';

/** The definitions of RFC 9162 section 2.1, word by word and with node's hash. */
export function referenceTree(leaves: readonly Uint8Array[]) {
  const known = new Map<string, Buffer>();

  /** MTH(D[start:end]) */
  function rootOf(start: number, end: number): Buffer {
    const name = `${start}:${end}`;
    const found = known.get(name);
    if (found) return found;
    const hash = compute(start, end);
    known.set(name, hash);
    return hash;
  }

  function compute(start: number, end: number): Buffer {
    if (end === start) return hashed(Buffer.alloc(0));
    if (end - start === 1) return hashed(Buffer.of(0), leaves[start] as Uint8Array);
    const middle = start + largestPowerBelow(end - start);
    return hashed(Buffer.of(1), rootOf(start, middle), rootOf(middle, end));
  }

  /** PATH(m, D[start:end]) */
  function path(m: number, start: number, end: number): Buffer[] {
    if (end - start === 1) return [];
    const k = largestPowerBelow(end - start);
    return m < k
      ? [...path(m, start, start + k), rootOf(start + k, end)]
      : [...path(m - k, start + k, end), rootOf(start, start + k)];
  }

  /** SUBPROOF(m, D[start:end], b) */
  function subproof(m: number, start: number, end: number, isWhole: boolean): Buffer[] {
    if (m === end - start) return isWhole ? [] : [rootOf(start, end)];
    const k = largestPowerBelow(end - start);
    return m <= k
      ? [...subproof(m, start, start + k, isWhole), rootOf(start + k, end)]
      : [...subproof(m - k, start + k, end, false), rootOf(start, start + k)];
  }

  return {
    root: (size: number) => rootOf(0, size),
    inclusion: (index: number, size: number) => path(index, 0, size),
    consistency: (from: number, to: number) => subproof(from, 0, to, true),
  };
}

function hashed(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function largestPowerBelow(size: number): number {
  let power = 1;
  while (2 * power < size) power *= 2;
  return power;
}
