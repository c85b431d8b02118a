import { get } from '../../kit/api.ts';
import { Chips } from '../../kit/Chips.tsx';
import { formatNumber } from '../../kit/format.ts';
import { Moment } from '../../kit/Moment.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { Table } from '../../kit/Table.tsx';
import { t } from '../../kit/texts.ts';
import { usePages, useQuery } from '../../kit/useQuery.ts';
import { texts as catalogue } from './texts.ts';

const STATUSES = ['succeeded', 'failed'] as const;

/** The delivery log of an endpoint. Enter opens an attempt. */
export function Deliveries({ endpointId, round }: { endpointId: string; round: number }) {
  const texts = t(catalogue);
  const known = useQuery((signal) => get('GET /webhooks/events', {}, signal), []);
  const status = STATUSES.find((value) => value === query.value.get('status')) ?? null;
  const type = query.value.get('type');
  const pages = usePages(
    async (cursor, signal) => {
      const input = { params: { id: endpointId }, query: { limit: 50, status, type, cursor } };
      const { deliveries, nextCursor } = await get('GET /webhooks/{id}/deliveries', input, signal);
      return { rows: deliveries, nextCursor };
    },
    [endpointId, status, type, round],
  );
  return (
    <section class="panel">
      <h2>{texts.deliveries}</h2>
      <div class="filters">
        <Chips
          label={texts.result}
          options={STATUSES.map((value) => ({ value, text: texts[value] }))}
          chosen={status}
          onChoose={(value) => setQuery({ status: value })}
        />
        <select
          class="type-filter"
          aria-label={texts.type}
          value={type ?? ''}
          onChange={(event) => setQuery({ type: event.currentTarget.value })}
        >
          <option value="">{texts.anyType}</option>
          {known.data?.events.map((event) => (
            <option key={event.type} value={event.type}>
              {event.type}
            </option>
          ))}
        </select>
      </div>
      <Table
        label={texts.deliveries}
        pages={pages}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setQuery({ delivery: id })}
        height={480}
        empty={<p>{texts.noDeliveries}</p>}
        columns={[
          { title: texts.at, cell: ({ createdAt }) => <Moment at={createdAt} />, width: '10rem' },
          {
            title: texts.type,
            cell: ({ type }) => <code>{type}</code>,
            width: 'minmax(0, 2fr)',
            hideBelow: 640,
          },
          {
            title: texts.result,
            cell: ({ status }) => <span class={status === 'failed' ? 'bad' : 'good'}>{texts[status]}</span>,
          },
          {
            title: texts.answer,
            cell: ({ responseStatus, error }) => responseStatus ?? error ?? texts.noAnswer,
          },
          {
            title: texts.attempt,
            cell: ({ attempt }) => attempt,
            width: '5rem',
            align: 'end',
            hideBelow: 1000,
          },
          {
            title: texts.took,
            cell: ({ latencyMs }) => `${formatNumber(latencyMs)} ms`,
            width: '6rem',
            align: 'end',
            hideBelow: 640,
          },
        ]}
      />
    </section>
  );
}
