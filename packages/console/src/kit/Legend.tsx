import type { Series } from './drawChart.ts';
import { formatNumber } from './format.ts';

/** What the lines of a chart of counts are, with their sums. */
export function Legend({ of }: { of: readonly Series[] }) {
  return (
    <ul class="legend">
      {of.map(({ label, values, color = '--accent' }) => (
        <li key={label}>
          <span class="swatch" style={{ background: `var(${color})` }} aria-hidden="true" /> {label}:{' '}
          <strong>{formatNumber(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))}</strong>
        </li>
      ))}
    </ul>
  );
}
