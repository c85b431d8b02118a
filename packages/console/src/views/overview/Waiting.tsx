import type { ComponentChildren } from 'preact';
import { get } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { Link } from '../../kit/Link.tsx';
import { Moment, Panel, SubjectLink } from '../../kit/parts.tsx';
import { type Loaded, Query, useQuery } from '../../kit/Query.tsx';
import type { ReadDisputes } from './Attention.tsx';
import { texts } from './texts.ts';

export const PENDING = { status: 'PENDING', limit: 100 };

/** Disputes that have not ended: the ones that end first come first. */
export function OpenDisputes({ read }: { read: ReadDisputes }) {
  const disputes = useQuery(async () => {
    const { disputes: rows, nextCursor } = await read();
    return { rows, hasMore: nextCursor !== null };
  }, []);
  return (
    <Brief title={texts.disputes} to="/inbox?of=disputes&status=OPEN" of={disputes} none={texts.noDisputes}>
      {({ userId, respondBy, overdue }) => <Clock userId={userId} ends={respondBy} isOver={overdue} />}
    </Brief>
  );
}

/** Requests that nobody has answered. */
export function PendingConfirmations() {
  const confirmations = useQuery(async (signal) => {
    const { confirmations: rows, nextCursor } = await get('GET /confirmations', { query: PENDING }, signal);
    const soonest = [...rows].sort((a, b) => Date.parse(a.expiresAt) - Date.parse(b.expiresAt));
    return { rows: soonest, hasMore: nextCursor !== null };
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

function Clock({ userId, ends, isOver }: { userId: string; ends: string; isOver?: boolean }) {
  return (
    <>
      <SubjectLink id={userId} />
      <span class={isOver ? 'bad' : undefined}>
        {isOver ? texts.ended : texts.ends} <Moment at={ends} distance />
      </span>
    </>
  );
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
