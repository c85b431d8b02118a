import { formatNumber } from '../../kit/format.ts';
import { useList } from '../../kit/Query.tsx';
import { Table } from '../../kit/Table.tsx';
import { texts } from './texts.ts';

/** Campaigns, newest first, each with what became of its requests. @param version changes with the list. */
export function Campaigns({ version }: { version: number }) {
  const pages = useList('GET /activation/campaigns', 'campaigns', {}, version);
  return (
    <Table
      label={texts.kinds.campaigns}
      pages={pages}
      keyOf={({ id }) => id}
      empty={<p>{texts.emptyCampaigns}</p>}
      columns={[
        { title: texts.campaign, cell: ({ name }) => name, width: 'minmax(0, 2fr)' },
        { title: texts.asked, since: ({ createdAt }) => createdAt, width: '9rem', hideBelow: 1000 },
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
        { title: texts.waiting, count: ({ funnel }) => funnel.pending, width: '6rem', hideBelow: 640 },
        { title: texts.declined, count: ({ funnel }) => funnel.declined, width: '6rem', hideBelow: 640 },
      ]}
    />
  );
}
