import { useSignal } from '@preact/signals';
import type { AnswerOf } from '../../kit/api.ts';
import { wordsFor } from '../../kit/enumTexts.ts';
import { formatDay, formatNumber } from '../../kit/format.ts';
import { Moment } from '../../kit/parts.tsx';
import { useList } from '../../kit/Query.tsx';
import { Search } from '../../kit/Search.tsx';
import { searched } from '../../kit/searched.ts';
import { Table } from '../../kit/Table.tsx';
import { causeOf, OutcomeDialog, ScoreDialog } from './OutcomeDialog.tsx';
import { texts } from './texts.ts';

type Item = AnswerOf<'GET /users/{id}/timeline'>['items'][number];

/** Outcomes and changes of the score, newest first. Each opens. The search looks at all that is shown of an entry. */
export function Timeline({ id, version }: { id: string; version: number }) {
  const wanted = useSignal('');
  const opened = useSignal<Item | null>(null);
  const pages = useList('GET /users/{id}/timeline', 'items', { params: { id } }, version);
  return (
    <section class="panel">
      <div class="filters">
        <h2>{texts.timeline}</h2>
        <Search
          label={texts.timelineSearch}
          value={wanted.value}
          onSearch={(text) => (wanted.value = text)}
        />
      </div>
      <Table
        label={texts.timeline}
        pages={searched(pages, wanted.value, shownOf)}
        keyOf={keyOf}
        onOpen={(item) => (opened.value = item)}
        height={440}
        stackedHeight={112}
        empty={<p>{texts.noEntries}</p>}
        columns={[
          {
            title: texts.when,
            cell: ({ at }) => <Moment at={at} />,
            width: 'minmax(10rem, 0.4fr)',
            isPlain: true,
          },
          { title: texts.what, cell: (item) => <Entry of={item} />, width: 'minmax(0, 1fr)', isPlain: true },
        ]}
      />
      <Opened of={opened.value} onClose={() => (opened.value = null)} />
    </section>
  );
}

function Opened({ of, onClose }: { of: Item | null; onClose: () => void }) {
  if (of?.event) return <OutcomeDialog eventId={of.event.id} known={of.event} onClose={onClose} />;
  return of?.score ? <ScoreDialog of={of.score} onClose={onClose} /> : null;
}

function keyOf({ event, score, at }: Item): string {
  return event?.id ?? `${at} ${score?.finalScore}`;
}

function Entry({ of: { event, score } }: { of: Item }) {
  if (event) {
    return (
      <span title={event.metadata ? JSON.stringify(event.metadata) : undefined}>
        <strong>{wordsFor('eventType', event.eventType)}</strong>{' '}
        {event.completedAt ? (
          <span class="soft">{formatDay(event.completedAt)} </span>
        ) : (
          event.dueDate && (
            <span class="soft">
              {texts.wasDue} {formatDay(event.dueDate)}{' '}
            </span>
          )
        )}
        <span class={event.isVerified ? 'good' : 'soft'}>
          {event.attester
            ? texts.confirmedBy(event.attester)
            : event.isVerified
              ? texts.isVerified
              : texts.unverified}
        </span>
      </span>
    );
  }
  if (!score) return null;
  const to = formatNumber(score.finalScore, 2);
  return (
    <span>
      {score.previousScore === null
        ? texts.firstScore(to)
        : texts.scoreMoved(formatNumber(score.previousScore, 2), to)}
      {score.reason && <span class="soft"> · {causeOf(score.reason)}</span>}
    </span>
  );
}

function shownOf({ event, score, at }: Item): unknown[] {
  return [at, event, event && wordsFor('eventType', event.eventType), score];
}
