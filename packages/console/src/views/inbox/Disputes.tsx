import { useSignal } from '@preact/signals';
import { wordsFor } from '../../kit/enumTexts.ts';
import { formatDay } from '../../kit/format.ts';
import { outcomeTexts } from '../../kit/outcomeTexts.ts';
import { Who } from '../../kit/parts.tsx';
import { useList } from '../../kit/Query.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { Search } from '../../kit/Search.tsx';
import { searched } from '../../kit/searched.ts';
import { Table } from '../../kit/Table.tsx';
import { Deadline, type Dispute, DisputeCase, worthOf } from './DisputeCase.tsx';
import { texts } from './texts.ts';

/** Open disputes by their deadline, else newest first. `?dispute=` opens the case of one. */
export function Disputes({ status }: { status: string | null }) {
  const wanted = useSignal('');
  const sort = status === 'OPEN' ? 'deadline' : null;
  const pages = useList('GET /disputes', 'disputes', { query: { status, sort } });
  const opened = query.value.get('dispute');
  return (
    <>
      <div class="filters">
        <Search
          label={texts.searchDisputes}
          value={wanted.value}
          onSearch={(text) => (wanted.value = text)}
        />
      </div>
      <Table
        label={texts.kinds.disputes}
        pages={searched(pages, wanted.value, shownOf)}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setQuery({ dispute: id })}
        stackedHeight={124}
        empty={<p>{status || wanted.value ? texts.noMatch : texts.emptyDisputes}</p>}
        columns={[
          {
            title: texts.subject,
            cell: ({ userId, displayName }) => <Who id={userId} name={displayName} />,
            width: 'minmax(0, 1.5fr)',
          },
          {
            title: texts.event,
            cell: ({ event: { eventType, completedAt, dueDate, createdAt } }) => (
              <>
                {wordsFor('eventType', eventType)}{' '}
                <span class="soft">{formatDay(completedAt ?? dueDate ?? createdAt)}</span>
              </>
            ),
            width: 'minmax(0, 2fr)',
          },
          {
            title: outcomeTexts.worth,
            count: ({ event }) => worthOf(event) ?? texts.stakes[event.stakeLevel],
            width: '9rem',
          },
          { title: texts.note, cell: noteOf, width: 'minmax(0, 1.5fr)', hideBelow: 1000 },
          { title: texts.deadline, cell: (row) => <Deadline of={row} />, width: '15rem' },
        ]}
      />
      {opened && (
        <DisputeCase
          key={opened}
          id={opened}
          onClose={() => setQuery({ dispute: null })}
          onChanged={pages.reload}
        />
      )}
    </>
  );
}

function shownOf(dispute: Dispute): unknown[] {
  return [dispute, wordsFor('eventType', dispute.event.eventType)];
}

/** Why it was filed, else by what the platform knows the event. */
function noteOf({ reason, event: { metadata } }: Dispute): string | null {
  const named = Object.values(metadata ?? {}).filter((value) => typeof value !== 'object');
  return reason ?? (named.join(', ') || null);
}
