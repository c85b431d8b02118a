import { wordsFor } from '../../kit/enumTexts.ts';
import { Options } from '../../kit/form.tsx';
import { formatNumber } from '../../kit/format.ts';
import { Chips, Moment, Panel } from '../../kit/parts.tsx';
import { useGet, useList } from '../../kit/Query.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { Table } from '../../kit/Table.tsx';
import { TypeName } from './EndpointParts.tsx';
import { texts } from './texts.ts';

const STATUSES = ['succeeded', 'failed'] as const;

/** The delivery log of an endpoint. Enter opens an attempt. */
export function Deliveries({ endpointId, round }: { endpointId: string; round: number }) {
  const known = useGet('GET /webhooks/events');
  const status = STATUSES.find((value) => value === query.value.get('status')) ?? null;
  const type = query.value.get('type');
  const input = { params: { id: endpointId }, query: { limit: 50, status, type } };
  const pages = useList('GET /webhooks/{id}/deliveries', 'deliveries', input, round);
  return (
    <Panel title={texts.deliveries}>
      <div class="filters">
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
        empty={<p>{texts.noDeliveries}</p>}
        columns={[
          { title: texts.at, cell: ({ createdAt }) => <Moment at={createdAt} />, width: '10rem' },
          {
            title: texts.type,
            cell: ({ type }) => <TypeName of={type} />,
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
          { title: texts.attempt, count: ({ attempt }) => attempt, width: '5rem', hideBelow: 1000 },
          {
            title: texts.took,
            count: ({ latencyMs }) => `${formatNumber(latencyMs)} ms`,
            width: '6rem',
            hideBelow: 640,
          },
        ]}
      />
    </Panel>
  );
}
