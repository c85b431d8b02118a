/**
 * Outcomes by a predictor that takes few values. Its size is fixed, so a backtest of a million
 * outcomes takes no more memory than one of ten.
 */
export interface OutcomeHistogram {
  readonly kept: Uint32Array;
  readonly broken: Uint32Array;
}

export function createOutcomeHistogram(values: number): OutcomeHistogram {
  return { kept: new Uint32Array(values), broken: new Uint32Array(values) };
}

export function addOutcomes(
  { kept, broken }: OutcomeHistogram,
  value: number,
  keptCount: number,
  brokenCount: number,
): void {
  kept[value] = (kept[value] ?? 0) + keptCount;
  broken[value] = (broken[value] ?? 0) + brokenCount;
}

export function totalsOf({ kept, broken }: OutcomeHistogram): { kept: number; n: number } {
  const sum = (counts: Uint32Array) => counts.reduce((total, count) => total + count, 0);
  const keptCount = sum(kept);
  return { kept: keptCount, n: keptCount + sum(broken) };
}

/**
 * The probability that a kept outcome has a higher value than a broken one, ties counting half (the
 * area under the ROC curve). Null unless there are outcomes of both kinds.
 */
export function aucOf({ kept, broken }: OutcomeHistogram): number | null {
  let brokenBelow = 0;
  let keptTotal = 0;
  let wins = 0;
  for (let value = 0; value < kept.length; value += 1) {
    const [keptHere, brokenHere] = [kept[value] ?? 0, broken[value] ?? 0];
    wins += keptHere * (brokenBelow + brokenHere / 2);
    brokenBelow += brokenHere;
    keptTotal += keptHere;
  }
  return keptTotal > 0 && brokenBelow > 0 ? wins / (keptTotal * brokenBelow) : null;
}
