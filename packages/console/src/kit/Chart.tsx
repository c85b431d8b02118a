import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Plot, plotOn, type Series } from './drawChart.ts';
import { kitTexts } from './kitTexts.ts';
import { Figures } from './parts.tsx';
import { language } from './texts.ts';
import { isDark } from './theme.ts';

interface ChartProps {
  /** What the chart shows: its name for those who cannot see it. */
  label: string;
  /** Seconds since 1970, ascending. */
  times: readonly number[];
  series: readonly Series[];
  /** As the table shows a time; the axis follows the language. */
  timeText: (seconds: number) => string;
  valueText?: (value: number) => string;
  range?: readonly [low: number, high: number];
  /** What the values can be. The axis fits them and goes no further. */
  within?: readonly [low: number, high: number];
  height?: number;
  /** Called with the time that is pressed. */
  onChoose?: (index: number) => void;
  /** Marked by a line, for views with a chosen step. */
  marked?: number | null;
  /** How many things happened at each time: as many ticks above the axis. */
  ticks?: readonly number[];
}

/** A chart over time, and the same numbers as a table. */
export function Chart(props: ChartProps) {
  const { label, times, series, height = 240 } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const plot = useRef<Plot>(undefined);
  const isOpen = useSignal(false);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    // Its first call comes with the first layout.
    const observer = new ResizeObserver(() => {
      plot.current = plotOn(element, latest.current);
      plot.current.draw();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [times, series, height, isDark.value, language.value, props.marked]);
  return (
    <figure class="chart">
      <div class="chart-place" role="img" aria-label={label} style={{ height: `${height}px` }}>
        <canvas
          ref={canvas}
          onPointerMove={({ offsetX }) => plot.current?.draw(plot.current.indexAt(offsetX))}
          onPointerLeave={() => plot.current?.draw()}
          onClick={({ offsetX }) => plot.current && props.onChoose?.(plot.current.indexAt(offsetX))}
        />
      </div>
      <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
        <summary>{kitTexts.asTable}</summary>
        {isOpen.value && <Numbers {...props} />}
      </details>
    </figure>
  );
}

/** Rendered when it is opened: a course can have thousands of rows. */
function Numbers({ label, times, series, timeText, valueText = String }: ChartProps) {
  return (
    <Figures
      label={label}
      class="numbers"
      heads={['', ...series.map((each) => each.label)]}
      rows={times.map((time, index) => ({
        key: String(time),
        cells: [
          timeText(time),
          ...series.map(({ values }) => (values[index] == null ? '–' : valueText(values[index]))),
        ],
      }))}
    />
  );
}
