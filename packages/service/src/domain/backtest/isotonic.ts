import { type OutcomeHistogram, totalsOf } from './outcomeHistogram.js';

interface Block {
  readonly firstValue: number;
  kept: number;
  n: number;
}

/**
 * The non-decreasing rates of kept outcomes by value that fit best in squared error (pool adjacent
 * violators). A value without outcomes has the rate of the next lower one, the lowest values that of
 * the first. Null without outcomes.
 */
export function isotonicFit({ kept, broken }: OutcomeHistogram): Float64Array | null {
  const blocks: Block[] = [];
  for (let value = 0; value < kept.length; value += 1) {
    const n = (kept[value] ?? 0) + (broken[value] ?? 0);
    if (n > 0) pool(blocks, { firstValue: value, kept: kept[value] ?? 0, n });
  }
  if (blocks.length === 0) return null;
  const rates = new Float64Array(kept.length);
  for (const [rank, block] of blocks.entries()) {
    const from = rank === 0 ? 0 : block.firstValue;
    rates.fill(block.kept / block.n, from, blocks[rank + 1]?.firstValue ?? rates.length);
  }
  return rates;
}

/** Adds a block on top and merges from there while a rate is not above the one below it. */
function pool(blocks: Block[], added: Block): void {
  let top = added;
  for (let below = blocks.at(-1); below && below.kept * top.n >= top.kept * below.n; below = blocks.at(-1)) {
    blocks.pop();
    top = { firstValue: below.firstValue, kept: below.kept + top.kept, n: below.n + top.n };
  }
  blocks.push(top);
}

/** The mean squared error of predicted rates (Brier 1950). Null without outcomes. */
export function brierOf(
  { kept, broken }: OutcomeHistogram,
  rateOf: (value: number) => number,
): number | null {
  let sum = 0;
  for (let value = 0; value < kept.length; value += 1) {
    const [keptHere, brokenHere] = [kept[value] ?? 0, broken[value] ?? 0];
    if (keptHere + brokenHere === 0) continue;
    const rate = rateOf(value);
    sum += keptHere * (1 - rate) ** 2 + brokenHere * rate ** 2;
  }
  const { n } = totalsOf({ kept, broken });
  return n > 0 ? sum / n : null;
}
