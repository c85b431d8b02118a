import { useSignal } from '@preact/signals';
import { type AnswerOf, get, requestOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { Link } from '../../kit/Link.tsx';
import { Moment } from '../../kit/Moment.tsx';
import { Pair } from '../../kit/Pair.tsx';
import { Failure } from '../../kit/Query.tsx';
import { pathTo } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Table } from '../../kit/Table.tsx';
import { t } from '../../kit/texts.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAct.ts';
import { usePages } from '../../kit/useQuery.ts';
import { texts as catalogue } from './texts.ts';

type Dispute = AnswerOf<'GET /disputes'>['disputes'][number];

const LIMIT = 100;

/** Disputes, newest first, with the time after which they end by themselves. */
export function Disputes({ status }: { status: string | null }) {
  const texts = t(catalogue);
  const opened = useSignal<Dispute | null>(null);
  const pages = usePages(
    async (cursor, signal) => {
      const query = { status, limit: LIMIT, cursor };
      const { disputes, nextCursor } = await get('GET /disputes', { query }, signal);
      return { rows: disputes, nextCursor };
    },
    [status],
  );
  return (
    <>
      <Table
        label={texts.kinds.disputes}
        pages={pages}
        keyOf={({ id }) => id}
        onOpen={(row) => (opened.value = row)}
        empty={<p>{status ? texts.noMatch : texts.emptyDisputes}</p>}
        columns={[
          {
            title: texts.subject,
            cell: ({ userId }) => <code dir="auto">{userId}</code>,
            width: 'minmax(0, 2fr)',
          },
          {
            title: texts.opened,
            cell: ({ openedAt }) => <Moment at={openedAt} distance />,
            width: '9rem',
            hideBelow: 640,
          },
          { title: texts.outcome, cell: (row) => <Outcome of={row} />, width: '14rem' },
        ]}
      />
      {opened.value && (
        <DisputeDialog of={opened.value} onClose={() => (opened.value = null)} onChanged={pages.reload} />
      )}
    </>
  );
}

function Outcome({ of: { status, outcome, lapsed, respondBy } }: { of: Dispute }) {
  const texts = t(catalogue);
  if (outcome === null)
    return (
      <span class="warn">
        {texts.statuses.OPEN}, {texts.endsIn} <Moment at={respondBy} distance />
      </span>
    );
  return (
    <span>
      {texts.statuses[status]}
      {lapsed && <span class="soft"> {texts.lapsed}</span>}
    </span>
  );
}

interface DisputeDialogProps {
  of: Dispute;
  onClose: () => void;
  onChanged: () => void;
}

function DisputeDialog({ of: dispute, onClose, onChanged }: DisputeDialogProps) {
  const texts = t(catalogue);
  const act = useAct();
  const { id, userId, eventId, openedAt, respondBy, resolvedAt } = dispute;

  async function resolve(): Promise<void> {
    if (!(await act.run(requestOf('POST /disputes/{id}/resolve', { params: { id } })))) return;
    toast(texts.resolved);
    onChanged();
    onClose();
  }

  return (
    <Dialog title={texts.statuses[dispute.status]} onClose={onClose}>
      <dl class="pairs">
        <Pair name={texts.subject}>
          <Link to={pathTo('/subject/{id}', { id: userId })}>{userId}</Link>
        </Pair>
        <Pair name={texts.event}>
          <code>{eventId}</code>
        </Pair>
        <Pair name={texts.opened}>
          <Moment at={openedAt} />
        </Pair>
        <Pair name={texts.respondBy}>
          <Moment at={respondBy} />
        </Pair>
        <Pair name={texts.outcome}>
          <Outcome of={dispute} />
        </Pair>
      </dl>
      {act.failure && <Failure of={act.failure} />}
      {resolvedAt === null && may('events', 'write') && (
        <>
          <p class="soft">{texts.resolveNote}</p>
          <div class="actions">
            <button type="button" class="primary" disabled={act.isBusy} onClick={resolve}>
              {texts.resolve}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
