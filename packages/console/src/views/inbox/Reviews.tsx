import { useSignal } from '@preact/signals';
import { useList } from '../../kit/Query.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { Search } from '../../kit/Search.tsx';
import { searched } from '../../kit/searched.ts';
import { Table } from '../../kit/Table.tsx';
import { Due, ReviewCase } from './ReviewCase.tsx';
import { texts } from './texts.ts';

/** Open reviews by their deadline, else newest first. `?review=` opens the case of one. */
export function Reviews({ status }: { status: string | null }) {
  const wanted = useSignal('');
  const sort = status === 'OPEN' ? 'deadline' : null;
  const pages = useList('GET /reviews', 'reviews', { query: { status, sort } });
  const opened = query.value.get('review');
  return (
    <>
      <p class="soft">{texts.reviewsLead}</p>
      <div class="filters">
        <Search label={texts.searchReviews} value={wanted.value} onSearch={(text) => (wanted.value = text)} />
      </div>
      <Table
        label={texts.kinds.reviews}
        pages={searched(pages, wanted.value, ({ userId, text }) => [userId, text])}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setQuery({ review: id })}
        stackedHeight={124}
        empty={<p>{status || wanted.value ? texts.noMatch : texts.emptyReviews}</p>}
        columns={[
          {
            title: texts.subject,
            cell: ({ userId }) => <code dir="auto">{userId}</code>,
            width: 'minmax(0, 1.5fr)',
          },
          {
            title: texts.about,
            cell: ({ eventId }) => (eventId ? texts.anOutcome : texts.theRecord),
            width: '9rem',
          },
          { title: texts.objection, cell: ({ text }) => text ?? texts.textGone, width: 'minmax(0, 3fr)' },
          { title: texts.ends, cell: (review) => <Due of={review} />, width: '12rem' },
        ]}
      />
      {opened && (
        <ReviewCase
          key={opened}
          id={opened}
          onClose={() => setQuery({ review: null })}
          onAnswered={pages.reload}
        />
      )}
    </>
  );
}
