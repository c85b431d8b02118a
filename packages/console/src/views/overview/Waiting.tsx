import { get } from '../../kit/api.ts';
import { Moment, SubjectLink } from '../../kit/parts.tsx';
import { useQuery } from '../../kit/useQuery.ts';
import { Brief } from './Brief.tsx';
import { texts } from './texts.ts';

export const OPEN = { status: 'OPEN', limit: 100 };
export const PENDING = { status: 'PENDING', limit: 100 };

/** Disputes that have not ended: the ones that end first come first. */
export function OpenDisputes() {
  const disputes = useQuery(async (signal) => {
    const page = await get('GET /disputes', { query: OPEN }, signal);
    return {
      rows: soonestFirst(page.disputes, ({ respondBy }) => respondBy),
      hasMore: page.nextCursor !== null,
    };
  }, []);
  return (
    <Brief
      title={texts.disputes}
      to="/inbox?of=disputes&status=OPEN"
      of={disputes}
      keyOf={({ id }) => id}
      none={texts.noDisputes}
    >
      {({ userId, respondBy }) => <Clock userId={userId} ends={respondBy} />}
    </Brief>
  );
}

/** Requests that nobody has answered. */
export function PendingConfirmations() {
  const confirmations = useQuery(async (signal) => {
    const page = await get('GET /confirmations', { query: PENDING }, signal);
    return {
      rows: soonestFirst(page.confirmations, ({ expiresAt }) => expiresAt),
      hasMore: page.nextCursor !== null,
    };
  }, []);
  return (
    <Brief
      title={texts.confirmations}
      to="/inbox?of=confirmations&status=PENDING"
      of={confirmations}
      keyOf={({ id }) => id}
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
