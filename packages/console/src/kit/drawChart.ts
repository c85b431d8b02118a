import { splitsOfTime, splitsOfValues } from './splits.ts';
import { language } from './texts.ts';

export interface Series {
  label: string;
  values: readonly (number | null)[];
  /** A custom property of the style sheet. Default: `--accent`. */
  color?: string;
  /** For a value that holds until the next. Default: a line. */
  isStepped?: boolean;
}

export interface Drawn {
  times: readonly number[];
  series: readonly Series[];
  range?: readonly [low: number, high: number];
  within?: readonly [low: number, high: number];
  valueText?: (value: number) => string;
  ticks?: readonly number[];
  zones?: readonly Zone[];
}

/** A range of values with a name. It ends where the one before begins: highest first. */
export interface Zone {
  minimum: number;
  text: string;
  /** A custom property of the style sheet. */
  color: string;
}

/** From one time to another, by their indexes. The second is where the reader is: it may be the earlier one. */
export type Span = readonly [start: number, end: number];

/** A chart on a canvas. */
export interface Plot {
  /** @param hovered the index of the time that is pointed at. */
  draw(hovered: number | null, selected: Span | null): void;
  /** Of the time that is nearest to a place, in pixels from the left. */
  indexAt(x: number): number;
  /** In pixels from the left. */
  placeOf(index: number): number;
}

/** Room of the labels around the chart, in pixels. */
const MARGIN = { left: 48, right: 16, top: 10, bottom: 28 };
/** Least room of a label on its axis. */
const LABEL = { wide: 68, high: 36 };

/** Prepares a chart for the present size and colours of the canvas. */
export function plotOn(canvas: HTMLCanvasElement, drawn: Drawn): Plot {
  const { times, series, valueText = String, ticks, zones } = drawn;
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  context.scale(devicePixelRatio, devicePixelRatio);
  const right = width - MARGIN.right;
  const bottom = height - MARGIN.bottom;
  const [from, to] = timesShown(times);
  const values = splitsOfValues(...valuesShown(drawn), (bottom - MARGIN.top) / LABEL.high);
  if (zones) values.splits = [values.high, ...zones.map(({ minimum }) => minimum)];
  const xOf = (time: number) => MARGIN.left + ((time - from) / (to - from)) * (right - MARGIN.left);
  const yOf = (value: number) =>
    bottom - ((value - values.low) / (values.high - values.low)) * (bottom - MARGIN.top);
  const places = times.map(xOf);
  const placeOf = (index: number) => places[index] ?? 0;
  // The property itself holds both the light and the dark value.
  const colorOf = (name: string) => {
    canvas.style.color = `var(${name})`;
    return getComputedStyle(canvas).color;
  };
  const [soft, line, ink] = [colorOf('--soft'), colorOf('--line'), colorOf('--ink')];
  const [accent, fills] = [colorOf('--accent'), zones?.map(({ color }) => colorOf(color))];
  const lines = series.map((each) => ({ ...each, stroke: colorOf(each.color ?? '--accent') }));

  /** The fields below the grid, or their names upon it. */
  function drawZones(isNamed: boolean): void {
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    let top = MARGIN.top;
    for (const [index, { minimum, text }] of (zones ?? []).entries()) {
      const end = yOf(minimum);
      context.fillStyle = soft;
      if (isNamed) context.fillText(text, MARGIN.left + 6, (top + end) / 2);
      else fillRange(MARGIN.left, right, top, end, fills?.[index] ?? soft, 0.1);
      top = end;
    }
  }

  function drawSelected([start, end]: Span): void {
    const path = new Path2D();
    for (const index of new Set([start, end]))
      addLine(path, placeOf(index), MARGIN.top, placeOf(index), bottom);
    fillRange(placeOf(start), placeOf(end), MARGIN.top, bottom, accent, 0.14);
    context.setLineDash([4, 4]);
    strokePath(path, ink, 1);
    context.setLineDash([]);
  }

  function fillRange(x: number, toX: number, y: number, toY: number, color: string, opacity: number): void {
    context.globalAlpha = opacity;
    context.fillStyle = color;
    context.fillRect(x, y, toX - x, toY - y);
    context.globalAlpha = 1;
  }

  function drawAxes(): void {
    context.fillStyle = soft;
    const grid = new Path2D();
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    for (const value of values.splits) {
      addLine(grid, MARGIN.left, yOf(value), right, yOf(value));
      context.fillText(valueText(value), MARGIN.left - 8, yOf(value));
    }
    context.textAlign = 'center';
    context.textBaseline = 'top';
    for (const { time, text } of splitsOfTime(
      from,
      to,
      (right - MARGIN.left) / LABEL.wide,
      language.peek(),
    )) {
      addLine(grid, xOf(time), MARGIN.top, xOf(time), bottom);
      context.fillText(text, xOf(time), bottom + 8);
    }
    strokePath(grid, line, 1);
  }

  function drawSeries({ values: ofSeries, isStepped, stroke }: (typeof lines)[number]): void {
    const path = new Path2D();
    const dots = new Path2D();
    // A line needs two neighbours: one day among empty ones would not be seen.
    const isShort = ofSeries.filter((value) => value !== null).length < 3;
    let before: number | null = null;
    for (const [index, value] of ofSeries.entries()) {
      const x = placeOf(index);
      if (value !== null) {
        if (before === null) path.moveTo(x, yOf(value));
        else if (isStepped) path.lineTo(x, yOf(before));
        path.lineTo(x, yOf(value));
        if (isShort || (before === null && ofSeries[index + 1] == null)) addDot(dots, x, yOf(value));
      }
      before = value;
    }
    strokePath(path, stroke, 2);
    context.fillStyle = stroke;
    context.fill(dots);
  }

  /** One short stroke above another for each thing that happened. */
  function drawTicks(counts: readonly number[]): void {
    const path = new Path2D();
    for (const [index, count] of counts.entries()) {
      const x = placeOf(index);
      for (let tick = 0; tick < Math.min(count, MAX_TICKS); tick += 1) {
        const y = bottom - tick * TICK_PIXELS * 1.4;
        addLine(path, x, y, x, y - TICK_PIXELS);
      }
    }
    strokePath(path, ink, 1.5);
  }

  function drawHovered(index: number): void {
    const x = placeOf(index);
    const path = new Path2D();
    addLine(path, x, MARGIN.top, x, bottom);
    strokePath(path, soft, 1);
    for (const { values: ofSeries, stroke } of lines) {
      const value = ofSeries[index];
      if (value == null) continue;
      const dot = new Path2D();
      addDot(dot, x, yOf(value));
      context.fillStyle = stroke;
      context.fill(dot);
    }
  }

  function strokePath(path: Path2D, color: string, thickness: number): void {
    context.strokeStyle = color;
    context.lineWidth = thickness;
    context.stroke(path);
  }

  return {
    draw(hovered, selected) {
      context.clearRect(0, 0, width, height);
      context.font = '12px system-ui, sans-serif';
      drawZones(false);
      if (selected) drawSelected(selected);
      drawAxes();
      drawZones(true);
      for (const each of lines) drawSeries(each);
      if (ticks) drawTicks(ticks);
      if (hovered !== null && hovered in places) drawHovered(hovered);
    },
    indexAt(x) {
      const next = places.findIndex((place) => place >= x);
      if (next < 1) return next < 0 ? places.length - 1 : 0;
      return x - placeOf(next - 1) < placeOf(next) - x ? next - 1 : next;
    },
    placeOf,
  };
}

const TICK_PIXELS = 5;
/** More would hide the line. */
const MAX_TICKS = 12;

function addLine(path: Path2D, fromX: number, fromY: number, toX: number, toY: number): void {
  path.moveTo(fromX, fromY);
  path.lineTo(toX, toY);
}

function addDot(path: Path2D, x: number, y: number): void {
  path.moveTo(x, y);
  path.arc(x, y, 3.5, 0, 2 * Math.PI);
}

const THREE_WEEKS = 21 * 86_400;

/** Around one time, three weeks on both sides. */
function timesShown(times: readonly number[]): [from: number, to: number] {
  const [first = 0] = times;
  const last = times.at(-1) ?? first;
  return first === last ? [first - THREE_WEEKS, last + THREE_WEEKS] : [first, last];
}

/** The given range; or around the values, no further than they can be; or from zero. */
function valuesShown({ series, range, within }: Drawn): [low: number, high: number, isExact: boolean] {
  if (range) return [...range, true];
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const low = known.reduce((least, value) => Math.min(least, value), known[0] ?? 0);
  const high = known.reduce((most, value) => Math.max(most, value), low);
  // So wide at least that two lines have different texts: of whole numbers, of scores with a decimal.
  if (!within) return [Math.min(0, low), Math.max(5, high), false];
  const room = Math.max(0.5, (high - low) / 10);
  return [Math.max(within[0], low - room), Math.min(within[1], high + room), false];
}
