import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { language } from './texts.ts';

export interface Series {
  label: string;
  values: readonly (number | null)[];
  /** A custom property of the style sheet. Default: `--accent`. */
  color?: string;
  /** For a value that holds until the next. Default: a line. */
  isStepped?: boolean;
}

interface Drawn {
  times: readonly number[];
  series: readonly Series[];
  range?: readonly [low: number, high: number];
  within?: readonly [low: number, high: number];
  valueText?: (value: number) => string;
  onChoose?: (index: number) => void;
  marked?: number | null;
  ticks?: readonly number[];
}

/** Draws with uPlot, in the colours of the page. */
export function drawChart(element: HTMLElement, drawn: Drawn, height: number): uPlot {
  const { times, series, range, within, valueText = String } = drawn;
  // The property itself holds both the light and the dark value.
  const colorOf = (name: string) => {
    element.style.color = `var(${name})`;
    return getComputedStyle(element).color;
  };
  const axis = {
    stroke: colorOf('--soft'),
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { show: false },
  };
  const options: uPlot.Options = {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    scales: {
      x: { time: true, ...(times.length === 1 && { range: aroundOne }) },
      y: range
        ? { range: [...range] as [number, number] }
        : within
          ? { range: (_, low, high) => fitted(low, high, within) }
          : {},
    },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    axes: [
      { ...axis, values: (_, splits, __, ___, step) => splits.map((split) => dayText(split, step)) },
      { ...axis, size: 48, values: (_, splits) => splits.map(valueText) },
    ],
    series: [{}, ...series.map((each) => optionsOf(each, colorOf))],
    hooks: {
      ready: [
        ({ over, cursor }) =>
          over.addEventListener('click', () => cursor.idx != null && drawn.onChoose?.(cursor.idx)),
      ],
      draw: [
        (chart) => drawTicks(chart, drawn.ticks, colorOf('--ink')),
        (chart) => drawMark(chart, drawn.marked, colorOf('--ink')),
      ],
    },
  };
  return new uPlot(
    options,
    [[...times], ...series.map(({ values }) => [...values])] as uPlot.AlignedData,
    element,
  );
}

function optionsOf(
  { label, color = '--accent', isStepped, values }: Series,
  colorOf: (name: string) => string,
): uPlot.Series {
  const stroke = colorOf(color);
  // A line needs two neighbours: one day among empty ones would not be seen.
  const isShort = values.filter((value) => value != null).length < 3;
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    label,
    stroke,
    width: 2,
    points: { show: isShort ? true : isStepped ? false : undefined },
    ...(isStepped && stepped && { paths: stepped }),
  };
}

/** Around the values, and no further than they can be. */
function fitted(low: number, high: number, [least, most]: readonly [number, number]): [number, number] {
  const [from, to] = uPlot.rangeNum(low, high, 0.1, true);
  return [Math.max(least, from ?? least), Math.min(most, to ?? most)];
}

/** Three weeks on both sides. */
function aroundOne(_: uPlot, time: number): [number, number] {
  return [time - 21 * 86_400, time + 21 * 86_400];
}

const YEAR_SECONDS = 300 * 86_400;

/** In UTC: the days of the service. */
function dayText(seconds: number, step: number): string {
  const options: Intl.DateTimeFormatOptions =
    step >= YEAR_SECONDS
      ? { year: 'numeric' }
      : step >= 28 * 86_400
        ? { month: 'short', year: '2-digit' }
        : { day: 'numeric', month: 'short' };
  return new Intl.DateTimeFormat(language.peek(), { ...options, timeZone: 'UTC' }).format(
    new Date(seconds * 1000),
  );
}

const TICK_PIXELS = 5;
/** More would hide the line. */
const MAX_TICKS = 12;

/** One short stroke above another for each thing that happened. */
function drawTicks(
  { ctx, bbox, data, valToPos }: uPlot,
  ticks: readonly number[] | undefined,
  color: string,
): void {
  if (!ticks) return;
  const length = TICK_PIXELS * devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio * 1.5;
  ctx.beginPath();
  for (const [index, count] of ticks.entries()) {
    const x = valToPos(data[0][index] ?? 0, 'x', true);
    for (let tick = 0; tick < Math.min(count, MAX_TICKS); tick += 1) {
      const y = bbox.top + bbox.height - tick * length * 1.4;
      ctx.moveTo(x, y);
      ctx.lineTo(x, y - length);
    }
  }
  ctx.stroke();
  ctx.restore();
}

function drawMark(
  { ctx, bbox, data, valToPos }: uPlot,
  marked: number | null | undefined,
  color: string,
): void {
  const time = marked == null ? undefined : data[0][marked];
  if (time === undefined) return;
  const x = valToPos(time, 'x', true);
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4, 4]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}
