import { get } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { Moment } from '../../kit/Moment.tsx';
import { Table } from '../../kit/Table.tsx';
import { t } from '../../kit/texts.ts';
import { usePages } from '../../kit/useQuery.ts';
import { texts as catalogue } from './texts.ts';

const LIMIT = 100;

/** Campaigns, newest first, each with what became of its requests. @param version changes with the list. */
export function Campaigns({ version }: { version: number }) {
  const texts = t(catalogue);
  const pages = usePages(
    async (cursor, signal) => {
      const query = { limit: LIMIT, cursor };
      const { campaigns, nextCursor } = await get('GET /activation/campaigns', { query }, signal);
      return { rows: campaigns, nextCursor };
    },
    [version],
  );
  return (
    <Table
      label={texts.kinds.campaigns}
      pages={pages}
      keyOf={({ id }) => id}
      empty={<p>{texts.emptyCampaigns}</p>}
      columns={[
        {
          title: texts.campaign,
          cell: ({ name }) => <span dir="auto">{name}</span>,
          width: 'minmax(0, 2fr)',
        },
        {
          title: texts.asked,
          cell: ({ createdAt }) => <Moment at={createdAt} distance />,
          width: '9rem',
          hideBelow: 1000,
        },
        {
          title: texts.funnel,
          cell: ({ funnel: { confirmed, submitted } }) => (
            <>
              <meter min={0} max={Math.max(1, submitted)} value={confirmed} aria-label={texts.confirmed} />{' '}
              {formatNumber(confirmed)} / {formatNumber(submitted)}
            </>
          ),
          width: '12rem',
        },
        {
          title: texts.waiting,
          cell: ({ funnel }) => formatNumber(funnel.pending),
          width: '6rem',
          align: 'end',
          hideBelow: 640,
        },
        {
          title: texts.declined,
          cell: ({ funnel }) => formatNumber(funnel.declined),
          width: '6rem',
          align: 'end',
          hideBelow: 640,
        },
      ]}
    />
  );
}
