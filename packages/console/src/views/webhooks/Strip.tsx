import { formatMoment, formatNumber } from '../../kit/format.ts';
import { texts } from './texts.ts';

interface StripProps {
  from: string;
  succeeded: readonly number[];
  failed: readonly number[];
}

const HOUR_MS = 3_600_000;
const HEIGHT = 32;
/** A lone failure must be seen beside thousands of successes. */
const LEAST = 3;

/** The attempts of an endpoint by hour, as bars: failed ones on top. */
export function Strip({ from, succeeded, failed }: StripProps) {
  const most = Math.max(1, ...succeeded.map((count, hour) => count + (failed[hour] ?? 0)));
  const height = (count: number) => (count === 0 ? 0 : Math.max(LEAST, (count / most) * HEIGHT));
  const sum = (counts: readonly number[]) => formatNumber(counts.reduce((total, count) => total + count, 0));
  return (
    <div class="strip" role="img" aria-label={texts.strip(sum(succeeded), sum(failed))}>
      {succeeded.map((good, hour) => {
        const bad = failed[hour] ?? 0;
        const at = formatMoment(new Date(Date.parse(from) + hour * HOUR_MS));
        const text = good + bad === 0 ? texts.noAttempts : texts.hour(formatNumber(good), formatNumber(bad));
        return (
          <span key={hour} class="strip-hour" title={`${at}: ${text}`}>
            <span class="strip-failed" style={{ height: `${height(bad)}px` }} />
            <span class="strip-succeeded" style={{ height: `${height(good)}px` }} />
          </span>
        );
      })}
    </div>
  );
}
