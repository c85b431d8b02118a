import { useSignal } from '@preact/signals';
import { wordsFor } from '../../kit/enumTexts.ts';
import { Moment } from '../../kit/parts.tsx';
import { type Pages, useList } from '../../kit/Query.tsx';
import { Table } from '../../kit/Table.tsx';
import { type Confirmation, type Reference, RequestDialog } from './RequestDialog.tsx';
import { texts } from './texts.ts';

/** Requests to counterparties about outcomes, newest first. */
export function Confirmations({ status }: { status: string | null }) {
  const pages = useList('GET /confirmations', 'confirmations', { query: { status } });
  return <Requests label={texts.kinds.confirmations} status={status} pages={pages} />;
}

/** Requests to counterparties about what somebody says of themselves, newest first. */
export function References({ status }: { status: string | null }) {
  const pages = useList('GET /references', 'references', { query: { status } });
  return <Requests label={texts.kinds.references} status={status} pages={pages} />;
}

interface RequestsProps {
  label: string;
  status: string | null;
  pages: Pages<Confirmation | Reference>;
}

function Requests({ label, status, pages }: RequestsProps) {
  const opened = useSignal<Confirmation | Reference | null>(null);
  return (
    <>
      <Table
        label={label}
        pages={pages}
        keyOf={({ id }) => id}
        onOpen={(row) => (opened.value = row)}
        empty={<p>{status ? texts.noMatch : texts.empty}</p>}
        columns={[
          {
            title: texts.subject,
            cell: ({ userId }) => <code dir="auto">{userId}</code>,
            width: 'minmax(0, 2fr)',
          },
          {
            title: texts.counterparty,
            cell: ({ counterpartyName, counterpartyRef }) => counterpartyName ?? counterpartyRef,
            width: 'minmax(0, 2fr)',
            hideBelow: 640,
          },
          { title: texts.asked, since: ({ createdAt }) => createdAt, width: '9rem', hideBelow: 1000 },
          { title: texts.status, cell: (row) => <Clock of={row} />, width: '11rem' },
        ]}
      />
      {opened.value && (
        <RequestDialog of={opened.value} onClose={() => (opened.value = null)} onChanged={pages.reload} />
      )}
    </>
  );
}

/** A waiting request shows when its time ends, every other one its state. */
function Clock({ of: { status, expiresAt } }: { of: Confirmation | Reference }) {
  const words = wordsFor('requestStatus', status);
  if (status !== 'PENDING') return <span class={status === 'CONFIRMED' ? 'good' : 'soft'}>{words}</span>;
  return (
    <span class="warn">
      {words}, {texts.endsIn} <Moment at={expiresAt} distance />
    </span>
  );
}
