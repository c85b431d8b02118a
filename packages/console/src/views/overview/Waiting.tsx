import type { ComponentChildren } from 'preact';
import { get } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { Link } from '../../kit/Link.tsx';
import { Moment, Panel, SubjectLink } from '../../kit/parts.tsx';
import { type Loaded, Query, useQuery } from '../../kit/Query.tsx';
import { texts } from './texts.ts';

export const OPEN = { status: 'OPEN', limit: 100 };
export const PENDING = { status: 'PENDING', limit: 100 };

/** Disputes that have not ended: the ones that end first come first. */
export function OpenDisputes() {
  const disputes = useQuery(async (signal) => {
    const { disputes: rows, nextCursor } = await get('GET /disputes', { query: OPEN }, signal);
    return { rows: soonestFirst(rows, ({ respondBy }) => respondBy), hasMore: nextCursor !== null };
  }, []);
  return (
    <Brief title={texts.disputes} to="/inbox?of=disputes&status=OPEN" of={disputes} none={texts.noDisputes}>
      {({ userId, respondBy }) => <Clock userId={userId} ends={respondBy} />}
    </Brief>
  );
}

/** Requests that nobody has answered. */
export function PendingConfirmations() {
  const confirmations = useQuery(async (signal) => {
    const { confirmations: rows, nextCursor } = await get('GET /confirmations', { query: PENDING }, signal);
    return { rows: soonestFirst(rows, ({ expiresAt }) => expiresAt), hasMore: nextCursor !== null };
  }, []);
  return (
    <Brief
      title={texts.confirmations}
      to="/inbox?of=confirmations&status=PENDING"
      of={confirmations}
      none={texts.noConfirmations}
    >
      {({ userId, expiresAt }) => <Clock userId={userId} ends={expiresAt} />}
    </Brief>
  );
}

function Clock({ userId, ends }: { userId: string; ends: string }) {
  return (
    <>
      <SubjectLink id={userId} />
      <span>
        {texts.ends} <Moment at={ends} distance />
      </span>
    </>
  );
}

function soonestFirst<Row>(rows: readonly Row[], endOf: (row: Row) => string): Row[] {
  return [...rows].sort((a, b) => Date.parse(endOf(a)) - Date.parse(endOf(b)));
}

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
    <Brief title={texts.endpoints} to="/webhooks" of={failing} none={texts.noneFailing}>
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

/** Rows of a panel. The view behind it shows all. */
const SHOWN = 5;

interface BriefProps<Row extends { id: string }> {
  title: string;
  /** Where all of them are. */
  to: string;
  of: Loaded<{ rows: readonly Row[]; hasMore?: boolean }>;
  /** What to say when there is none. */
  none: string;
  /** The two cells of a row. */
  children: (row: Row) => ComponentChildren;
}

/** A panel with a count and the first rows. Its title leads to the view of all. */
function Brief<Row extends { id: string }>({ title, to, of, none, children }: BriefProps<Row>) {
  const { data } = of;
  return (
    <Panel
      title={
        <>
          <Link to={to}>{title}</Link>
          {data && ` · ${formatNumber(data.rows.length)}${data.hasMore ? '+' : ''}`}
        </>
      }
    >
      <Query of={of} height={140}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p class="soft">{none}</p>
          ) : (
            <ul class="entries brief">
              {rows.slice(0, SHOWN).map((row) => (
                <li key={row.id}>{children(row)}</li>
              ))}
            </ul>
          )
        }
      </Query>
    </Panel>
  );
}
