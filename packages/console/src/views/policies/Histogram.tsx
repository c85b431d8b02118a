import { useRef } from 'preact/hooks';
import { formatNumber } from '../../kit/format.ts';
import type { Tried } from './PolicyDialogs.tsx';
import { texts } from './texts.ts';

interface HistogramProps {
  /** Subjects by whole points, from 0 to 100. */
  counts: readonly number[];
  tried: Tried;
  onMove: (points: number) => void;
}

const WIDTH = 101;
const HEIGHT = 40;
const TICKS = [0, 20, 40, 60, 80, 100] as const;

/** The scores of the book as bars, with a line to drag. The slider below is the same for the keyboard. */
export function Histogram({ counts, tried: { threshold, direction }, onMove }: HistogramProps) {
  const place = useRef<SVGSVGElement>(null);
  const isDragging = useRef(false);
  const most = Math.max(1, ...counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const moveTo = ({ clientX }: PointerEvent) => {
    const box = place.current?.getBoundingClientRect();
    if (!box) return;
    const points = Math.round(((clientX - box.left) / box.width) * WIDTH);
    onMove(Math.max(0, Math.min(100, points)));
  };
  return (
    <div class="histogram" dir="ltr">
      <svg
        ref={place}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.histogram(total)}
        onPointerDown={(event) => {
          isDragging.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          moveTo(event);
        }}
        onPointerMove={(event) => isDragging.current && moveTo(event)}
        onPointerUp={() => {
          isDragging.current = false;
        }}
      >
        {counts.map((count, points) => {
          const isPast = direction === 'below' ? points < threshold : points >= threshold;
          // A single subject is visible beside thousands.
          const height = count === 0 ? 0 : Math.max(0.6, (count / most) * HEIGHT);
          return (
            <rect
              key={points}
              x={points + 0.08}
              y={HEIGHT - height}
              width={0.84}
              height={height}
              class={isPast ? 'is-past' : undefined}
            >
              <title>{texts.bin(String(points), formatNumber(count))}</title>
            </rect>
          );
        })}
        <line x1={threshold} x2={threshold} y1={0} y2={HEIGHT} vector-effect="non-scaling-stroke" />
      </svg>
      <input
        type="range"
        min={0}
        max={100}
        step={1}
        value={threshold}
        aria-label={texts.handle}
        onInput={(event) => onMove(Number(event.currentTarget.value))}
      />
      <div class="histogram-ticks soft" aria-hidden="true">
        {TICKS.map((tick) => (
          <span key={tick}>{tick}</span>
        ))}
      </div>
      <p class="histogram-value">
        {texts[direction]} <strong>{formatNumber(threshold)}</strong>
      </p>
    </div>
  );
}
