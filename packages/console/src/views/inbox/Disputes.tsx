import { useSignal } from '@preact/signals';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { wordsFor } from '../../kit/enumTexts.ts';
import { FormDialog } from '../../kit/form.tsx';
import { Details, Moment, SubjectLink } from '../../kit/parts.tsx';
import { useList } from '../../kit/Query.tsx';
import { may } from '../../kit/session.ts';
import { Table } from '../../kit/Table.tsx';
import { texts } from './texts.ts';

type Dispute = AnswerOf<'GET /disputes'>['disputes'][number];

/** Disputes, newest first, with the time after which they end by themselves. */
export function Disputes({ status }: { status: string | null }) {
  const opened = useSignal<Dispute | null>(null);
  const pages = useList('GET /disputes', 'disputes', { query: { status } });
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
          { title: texts.opened, since: ({ openedAt }) => openedAt, width: '9rem', hideBelow: 640 },
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
  if (outcome === null)
    return (
      <span class="warn">
        {wordsFor('requestStatus', 'OPEN')}, {texts.endsIn} <Moment at={respondBy} distance />
      </span>
    );
  return (
    <span>
      {wordsFor('requestStatus', status)}
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
  const { id, status, userId, eventId, openedAt, respondBy, resolvedAt } = dispute;
  const mayEnd = resolvedAt === null && may('events', 'write');
  return (
    <FormDialog
      title={wordsFor('requestStatus', status)}
      submit={mayEnd ? texts.resolve : null}
      call={() => requestOf('POST /disputes/{id}/resolve', { params: { id } })}
      doneText={() => texts.resolved}
      onDone={onChanged}
      onClose={onClose}
    >
      <Details
        of={[
          [texts.subject, <SubjectLink id={userId} />],
          [texts.event, <code>{eventId}</code>],
          [texts.opened, <Moment at={openedAt} />],
          [texts.respondBy, <Moment at={respondBy} />],
          [texts.outcome, <Outcome of={dispute} />],
        ]}
      />
      {mayEnd && <p class="soft">{texts.resolveNote}</p>}
    </FormDialog>
  );
}
