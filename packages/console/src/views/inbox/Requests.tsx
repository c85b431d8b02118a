import { useSignal } from '@preact/signals';
import { get } from '../../kit/api.ts';
import { Moment } from '../../kit/Moment.tsx';
import { Table } from '../../kit/Table.tsx';
import { t } from '../../kit/texts.ts';
import { usePages } from '../../kit/useQuery.ts';
import { RequestDialog } from './RequestDialog.tsx';
import type { Confirmation, Reference, RequestKind } from './requestRow.ts';
import { texts as catalogue } from './texts.ts';

const LIMIT = 100;

/** Requests to counterparties, newest first. */
export function Requests({ kind, status }: { kind: RequestKind; status: string | null }) {
  const texts = t(catalogue);
  const opened = useSignal<Confirmation | Reference | null>(null);
  const pages = usePages<Confirmation | Reference>(
    async (cursor, signal) => {
      const query = { status, limit: LIMIT, cursor };
      if (kind === 'confirmations') {
        const { confirmations, nextCursor } = await get('GET /confirmations', { query }, signal);
        return { rows: confirmations, nextCursor };
      }
      const { references, nextCursor } = await get('GET /references', { query }, signal);
      return { rows: references, nextCursor };
    },
    [kind, status],
  );
  return (
    <>
      <Table
        label={texts.kinds[kind]}
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
            cell: ({ counterpartyName, counterpartyRef }) => (
              <span dir="auto">{counterpartyName ?? counterpartyRef}</span>
            ),
            width: 'minmax(0, 2fr)',
            hideBelow: 640,
          },
          {
            title: texts.asked,
            cell: ({ createdAt }) => <Moment at={createdAt} distance />,
            width: '9rem',
            hideBelow: 1000,
          },
          { title: texts.status, cell: (row) => <Clock of={row} />, width: '11rem' },
        ]}
      />
      {opened.value && (
        <RequestDialog
          kind={kind}
          of={opened.value}
          onClose={() => (opened.value = null)}
          onChanged={pages.reload}
        />
      )}
    </>
  );
}

/** A waiting request shows when its time ends, every other one its state. */
function Clock({ of: { status, expiresAt } }: { of: Confirmation | Reference }) {
  const texts = t(catalogue);
  if (status !== 'PENDING')
    return <span class={status === 'CONFIRMED' ? 'good' : 'soft'}>{texts.statuses[status]}</span>;
  return (
    <span class="warn">
      {texts.statuses.PENDING}, {texts.endsIn} <Moment at={expiresAt} distance />
    </span>
  );
}
