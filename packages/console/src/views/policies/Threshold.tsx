import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { type AnswerOf, requestOf, send } from '../../kit/api.ts';
import { ActButton } from '../../kit/Button.tsx';
import { formatDay, formatNumber, formatPercent } from '../../kit/format.ts';
import { Band, Chips, Panel, SubjectLink, Tile } from '../../kit/parts.tsx';
import { Query, useGet, usePages } from '../../kit/Query.tsx';
import { setQuery } from '../../kit/router.ts';
import { type Call, isReadOnly, may } from '../../kit/session.ts';
import { Table } from '../../kit/Table.tsx';
import { Histogram } from './Histogram.tsx';
import { SavePolicy, type Tried } from './PolicyDialogs.tsx';
import { texts } from './texts.ts';

type Preview = AnswerOf<'POST /policies/preview'>;

/** While a hand moves, the histogram alone counts. */
const PAUSE_MS = 350;
const ROWS = 20;

export function previewCall({ threshold, direction }: Tried, cursor: string | null): Call<Preview> {
  const condition = { metric: 'score', direction, threshold };
  const body = { condition, limit: ROWS, ...(cursor !== null && { cursor }) };
  return requestOf('POST /policies/preview', { body });
}

/** A threshold over the histogram of the book: who is past it, who would have crossed it. */
export function Threshold({ tried, onSaved }: { tried: Tried; onSaved: () => void }) {
  const { threshold, direction } = tried;
  const dragged = useSignal(threshold);
  const isSaving = useSignal(false);
  const counts = useSignal<Preview['counts'] | undefined>(undefined);
  const book = useGet('GET /users/summary');
  const pages = usePages(
    async (cursor, signal) => {
      if (isReadOnly.value) return { rows: [], nextCursor: null };
      let page = await send(previewCall(tried, cursor ?? null), { signal });
      counts.value = page.counts;
      // In a large book a page can be empty although others follow.
      while (page.subjects.length === 0 && page.nextCursor !== null) {
        page = await send(previewCall(tried, page.nextCursor), { signal });
      }
      return { rows: page.subjects, nextCursor: page.nextCursor };
    },
    [threshold, direction],
  );
  // At once: later, it would undo the next move of the hand.
  useLayoutEffect(() => {
    dragged.value = threshold;
  }, [threshold]);
  useEffect(() => {
    if (dragged.value === threshold) return;
    const timer = setTimeout(
      () => setQuery({ threshold: String(dragged.value) }, { replace: true }),
      PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [dragged.value]);
  const isStale = dragged.value !== threshold || pages.isLoading;
  return (
    <>
      <Panel title={texts.threshold} lead={texts.how}>
        <Chips
          label={texts.direction}
          options={['below', 'above']}
          textOf={(value) => texts[value]}
          chosen={direction}
          onChoose={(value) => setQuery({ direction: value ?? direction })}
        />
        <Query of={book} height={330} isEmpty={({ scored }) => scored === 0} empty={<p>{texts.empty}</p>}>
          {({ histogram, scored }) => (
            <>
              {histogram ? (
                <Histogram
                  counts={histogram}
                  tried={{ threshold: dragged.value, direction }}
                  onMove={(points) => (dragged.value = points)}
                />
              ) : (
                <p class="note">{texts.tooLarge}</p>
              )}
              <dl class="tiles policy-tiles" aria-live="polite">
                <Tile
                  name={texts.past}
                  value={histogram && pastOf(histogram, dragged.value, direction)}
                  note={
                    histogram &&
                    texts.pastOf(formatPercent(pastOf(histogram, dragged.value, direction) / scored, 1))
                  }
                />
                <Tile
                  name={texts.crossed}
                  class={isStale ? 'stale' : undefined}
                  value={counts.value?.crossed}
                  note={texts.crossedNote}
                />
                <Tile
                  name={texts.crossings}
                  class={isStale ? 'stale' : undefined}
                  value={counts.value?.crossings}
                />
              </dl>
              {counts.value === null && !isStale && <p class="soft">{texts.notCounted}</p>}
            </>
          )}
        </Query>
        {may('webhooks', 'write') && (
          <ActButton press="n" text={texts.save} class="primary" onAct={() => (isSaving.value = true)} />
        )}
      </Panel>
      <Panel title={texts.subjects}>
        {isReadOnly.value ? (
          <p class="note">{texts.readOnly}</p>
        ) : (
          <Table
            label={texts.subjects}
            pages={pages}
            keyOf={({ userId }) => userId}
            height={360}
            empty={<p>{texts.nobody}</p>}
            columns={[
              {
                title: texts.subject,
                cell: ({ userId }) => <SubjectLink id={userId} />,
                width: 'minmax(0, 2fr)',
              },
              { title: texts.score, count: ({ finalScore }) => formatNumber(finalScore, 2), width: '4.5rem' },
              {
                title: texts.band,
                cell: ({ scoreBand }) => <Band band={scoreBand} />,
                width: '9rem',
                hideBelow: 1000,
              },
              {
                title: texts.now,
                cell: ({ isPast }) => (isPast ? <strong>{texts.isPast}</strong> : '–'),
                width: '5rem',
              },
              { title: texts.times, count: ({ crossings }) => crossings, width: '7rem', hideBelow: 640 },
              {
                title: texts.last,
                cell: ({ lastCrossedAt }) => (lastCrossedAt ? formatDay(lastCrossedAt) : '–'),
                width: '8rem',
                hideBelow: 640,
              },
            ]}
          />
        )}
      </Panel>
      {isSaving.value && (
        <SavePolicy
          tried={{ threshold: dragged.value, direction }}
          onSaved={onSaved}
          onClose={() => (isSaving.value = false)}
        />
      )}
    </>
  );
}

/** Exact for whole points, to which the threshold is drawn. */
function pastOf(histogram: readonly number[], threshold: number, direction: Tried['direction']): number {
  return histogram.reduce((sum, count, points) => {
    const isPast = direction === 'below' ? points < threshold : points >= threshold;
    return isPast ? sum + count : sum;
  }, 0);
}
