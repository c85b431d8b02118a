import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { type Drawn, type Plot, plotOn, type Span } from './drawChart.ts';
import { kitTexts } from './kitTexts.ts';
import { Figures } from './parts.tsx';
import { language } from './texts.ts';
import { isDark } from './theme.ts';

interface ChartProps extends Drawn {
  /** What the chart shows: its name for those who cannot see it. */
  label: string;
  /** How to use it, for screen readers. Default: how to read its values. */
  hint?: string;
  /** As the table and the tooltip show a time; the axis follows the language. */
  timeText: (seconds: number) => string;
  height?: number;
  /** More about a time, below its values in the tooltip. */
  tipOf?: (index: number) => ComponentChildren;
  /** The part of the time that a view speaks about. */
  selected?: Span | undefined;
  /**
   * Makes it selectable: a press or an arrow key chooses the step that ends there, a drag or an arrow key with
   * Shift a longer span.
   */
  onSelect?: (span: Span) => void;
}

/** A chart over time whose values are read with mouse, finger or arrow keys, and the same numbers as a table. */
export function Chart(props: ChartProps) {
  const { label, times, series, height = 240, selected, onSelect } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const plot = useRef<Plot>(undefined);
  const isOpen = useSignal(false);
  const pointed = useSignal<number | null>(null);
  const dragged = useSignal<Span | null>(null);
  const dragStart = useRef<number | null>(null);
  /** Of a span that is chosen by keys, the end that stays. */
  const fixed = useRef<number | null>(null);
  const tipId = useId();
  const latest = useRef(props);
  latest.current = props;
  const draw = () => plot.current?.draw(pointed.peek(), dragged.peek() ?? latest.current.selected ?? null);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    // Its first call comes with the first layout.
    const observer = new ResizeObserver(() => {
      plot.current = plotOn(element, latest.current);
      draw();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [times, series, height, isDark.value, language.value]);
  useEffect(draw, [pointed.value, dragged.value, selected?.[0], selected?.[1]]);

  const last = times.length - 1;
  const stepTo = (index: number): Span => [Math.max(0, index - 1), index];
  const onPointer = ({ offsetX, type, pointerId, currentTarget }: PointerEvent) => {
    const index = plot.current?.indexAt(offsetX);
    if (index === undefined) return;
    pointed.value = index;
    if (!onSelect) return;
    if (type === 'pointerdown') {
      dragStart.current = index;
      (currentTarget as Element).setPointerCapture(pointerId);
    }
    const start = dragStart.current;
    if (start === null) return;
    if (start !== index || dragged.value) dragged.value = [start, index];
    if (type === 'pointerup') {
      const isDrag = dragged.value !== null && start !== index;
      endDrag();
      onSelect(isDrag ? [start, index] : stepTo(index));
    }
  };
  const endDrag = () => {
    dragStart.current = null;
    dragged.value = null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === 'Escape') pointed.value = null;
    const [start, end] = selected ?? [last, pointed.value ?? last];
    const isSpan = event.shiftKey && selected !== undefined;
    // A single step grows to either side; of a longer span the end moves first.
    const isKept = isSpan && (fixed.current === start || fixed.current === end);
    const stays = isKept ? fixed.current : end - start <= 1 && event.key === 'ArrowLeft' ? end : start;
    const moves = isSpan && stays === end ? start : end;
    const places: Record<string, number> = {
      ArrowLeft: moves - 1,
      ArrowRight: moves + 1,
      Home: 0,
      End: last,
    };
    const wanted = places[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(last, wanted));
    pointed.value = index;
    fixed.current = isSpan ? stays : null;
    onSelect?.(isSpan && stays !== null ? [stays, index] : stepTo(index));
  };
  return (
    <figure class="chart">
      <div
        class={onSelect ? 'chart-place is-selectable' : 'chart-place'}
        role="group"
        aria-label={props.hint ?? kitTexts.chartHint}
        aria-describedby={pointed.value === null ? undefined : tipId}
        tabIndex={0}
        style={{ height: `${height}px` }}
        onKeyDown={onKeyDown}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) pointed.value = selected?.[1] ?? last;
        }}
        onBlur={() => (pointed.value = null)}
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={label}
          onPointerDown={onPointer}
          onPointerMove={onPointer}
          onPointerUp={onPointer}
          // The finger scrolls the page.
          onPointerCancel={endDrag}
          onPointerLeave={({ pointerType }) => {
            if (pointerType === 'mouse') pointed.value = null;
          }}
        />
        {pointed.value !== null && pointed.value <= last && (
          <Tip
            {...props}
            id={tipId}
            index={pointed.value}
            place={plot.current?.placeOf(pointed.value) ?? 0}
          />
        )}
      </div>
      <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
        <summary>{kitTexts.asTable}</summary>
        {isOpen.value && <Numbers {...props} />}
      </details>
    </figure>
  );
}

interface TipProps extends ChartProps {
  id: string;
  index: number;
  /** In pixels from the left. */
  place: number;
}

/** On the side of its time that has more room, and off the line where its range is known. */
function Tip({ id, index, place, ...props }: TipProps) {
  const { times, series, timeText, valueText = String, range, tipOf } = props;
  const isLate = index > times.length / 2;
  const isHigh = range !== undefined && (series[0]?.values[index] ?? 0) > (range[0] + range[1]) / 2;
  return (
    <div
      id={id}
      role="tooltip"
      class={`chart-tip ${isLate ? 'is-late' : ''} ${isHigh ? 'is-low' : ''}`}
      style={{ left: `${place}px` }}
    >
      <strong>{timeText(times[index] ?? 0)}</strong>
      {series.map(({ label, values }) => (
        <div key={label}>
          {label}: {values[index] == null ? '–' : valueText(values[index])}
        </div>
      ))}
      {tipOf?.(index)}
    </div>
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
