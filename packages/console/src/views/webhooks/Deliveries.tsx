import { wordsFor } from '../../kit/enumTexts.ts';
import { Options } from '../../kit/form.tsx';
import { formatNumber } from '../../kit/format.ts';
import { Chips, Moment, Panel } from '../../kit/parts.tsx';
import { useGet, useList } from '../../kit/Query.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { Search } from '../../kit/Search.tsx';
import { Table } from '../../kit/Table.tsx';
import { TypeName } from './EndpointParts.tsx';
import { texts } from './texts.ts';

const STATUSES = ['succeeded', 'failed'] as const;

/** The delivery log of an endpoint. Enter opens an attempt. */
export function Deliveries({ endpointId, round }: { endpointId: string; round: number }) {
  const known = useGet('GET /webhooks/events');
  const status = STATUSES.find((value) => value === query.value.get('status')) ?? null;
  const type = query.value.get('type');
  const q = query.value.get('q');
  const input = { params: { id: endpointId }, query: { limit: 50, status, type, q } };
  const pages = useList('GET /webhooks/{id}/deliveries', 'deliveries', input, round);
  return (
    <Panel title={texts.deliveries}>
      <div class="filters">
        <Search
          label={texts.search}
          value={q ?? ''}
          onSearch={(text) => setQuery({ q: text }, { replace: true })}
        />
        <Chips
          label={texts.result}
          options={STATUSES}
          textOf={(value) => texts[value]}
          chosen={status}
          onChoose={(value) => setQuery({ status: value })}
        />
        <select
          class="type-filter"
          aria-label={texts.type}
          onChange={(event) => setQuery({ type: event.currentTarget.value })}
        >
          <Options
            of={(known.data?.events ?? []).map((event) => event.type)}
            textOf={(value) => wordsFor('webhookEventType', value)}
            chosen={type}
            none={texts.anyType}
          />
        </select>
      </div>
      <Table
        label={texts.deliveries}
        pages={pages}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setQuery({ delivery: id })}
        height={480}
        stackedHeight={148}
        empty={<p>{q || status || type ? texts.noMatch : texts.noDeliveries}</p>}
        columns={[
          {
            title: texts.at,
            cell: ({ createdAt }) => <Moment at={createdAt} seconds />,
            width: '12.5rem',
            isPlain: true,
          },
          { title: texts.subject, cell: ({ userId }) => userId ?? '–', width: 'minmax(0, 1.5fr)' },
          {
            title: texts.type,
            cell: ({ type }) => <TypeName of={type} />,
            width: 'minmax(0, 1.5fr)',
          },
          {
            title: texts.result,
            cell: ({ status, responseStatus, error }) => (
              <>
                <span class={status === 'failed' ? 'bad' : 'good'}>{texts[status]}</span>
                {', '}
                {responseStatus ?? error ?? texts.noAnswer}
              </>
            ),
            width: 'minmax(0, 1.5fr)',
          },
          { title: texts.attempt, count: ({ attempt }) => attempt, width: '5rem' },
          {
            title: texts.took,
            count: ({ latencyMs }) => `${formatNumber(latencyMs)} ms`,
            width: '6rem',
            hideBelow: 1000,
          },
        ]}
      />
    </Panel>
  );
}
