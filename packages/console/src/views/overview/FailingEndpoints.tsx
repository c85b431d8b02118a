import { get } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { Link } from '../../kit/Link.tsx';
import { useQuery } from '../../kit/useQuery.ts';
import { Brief } from './Brief.tsx';
import { texts } from './texts.ts';

export const HOURS = { hours: 24 };
/** A platform has at most 50 endpoints in each mode. */
const LIMIT = { limit: 100 };

/** Endpoints with failed attempts in the last day, and those that the service switched off. */
export function FailingEndpoints() {
  const failing = useQuery(async (signal) => {
    const [{ webhooks }, { endpoints }] = await Promise.all([
      get('GET /webhooks', { query: LIMIT }, signal),
      get('GET /webhooks/attempts', { query: HOURS }, signal),
    ]);
    const failures = new Map(endpoints.map(({ webhookId, failed }) => [webhookId, sumOf(failed)]));
    const rows = webhooks
      .map(({ id, url, disabledReason }) => ({
        id,
        url,
        isDisabled: disabledReason !== null,
        failed: failures.get(id) ?? 0,
      }))
      .filter(({ isDisabled, failed }) => isDisabled || failed > 0);
    return { rows: rows.sort((a, b) => Number(b.isDisabled) - Number(a.isDisabled) || b.failed - a.failed) };
  }, []);
  return (
    <Brief
      title={texts.endpoints}
      to="/webhooks"
      of={failing}
      keyOf={({ id }) => id}
      none={texts.noneFailing}
    >
      {({ id, url, isDisabled, failed }) => (
        <>
          <Link to={`/webhooks?endpoint=${id}`} title={url}>
            <bdi>{url}</bdi>
          </Link>
          <span class="bad">{isDisabled ? texts.disabled : texts.failed(formatNumber(failed))}</span>
        </>
      )}
    </Brief>
  );
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
