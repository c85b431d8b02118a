/** What a chart shows between two round values. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  tickText(value: number): string;
}

/** The steps of shares and of the AUC, in thousandths. More lines than these have no room on a phone. */
const STEPS = [10, 20, 50, 100, 200, 250];
const MAX_STEPS = 4;

/** From the round value below the data to the one above it: an axis from 0 to 1 would press the points together. */
export function axisOf(values: readonly number[], tickText: Axis['tickText']): Axis {
  const known = values.length > 0 ? values : [0, 1];
  const [low, high] = [Math.min(...known) * 1000, Math.max(...known) * 1000];
  const countOf = (step: number) => Math.ceil(high / step) - Math.floor(low / step);
  const step = STEPS.find((each) => countOf(each) <= MAX_STEPS) ?? 250;
  // One value alone is between two lines, too, and nothing is more than 1.
  const count = Math.max(1, countOf(step));
  const first = Math.min(Math.floor(low / step), 1000 / step - count);
  const ticks = Array.from({ length: count + 1 }, (_, index) => ((first + index) * step) / 1000);
  return { from: ticks[0] ?? 0, to: ticks.at(-1) ?? 1, ticks, tickText };
}

/** `62 %` */
export function shareText(share: number): string {
  return `${Math.round(share * 100)} %`;
}
