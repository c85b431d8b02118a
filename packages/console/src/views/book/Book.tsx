import { addressOf, requestOf } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { wordsFor } from '../../kit/enumTexts.ts';
import { formatNumber, formatPercent } from '../../kit/format.ts';
import { Band, bands, bandText, Chips, Page, Tile, Who } from '../../kit/parts.tsx';
import { Query, useGet, useList } from '../../kit/Query.tsx';
import { navigate, pathTo, query, setQuery } from '../../kit/router.ts';
import { Search } from '../../kit/Search.tsx';
import { viewing } from '../../kit/session.ts';
import { Table } from '../../kit/Table.tsx';
import './book.css';
import { Filters, filterNames } from './Filters.tsx';
import { texts } from './texts.ts';

/** Everybody on the book: search, filters, a table of any length. */
export default function Book() {
  const given = (name: string) => query.value.get(name) ?? undefined;
  const band = bands.find((known) => known === given('band'));
  const narrowing = Object.fromEntries(filterNames.map((name) => [name, given(name)]));
  const matching = { q: given('q'), ...narrowing };
  const listing = { ...matching, band, sort: given('sort'), order: given('order') };
  const set = Object.values(narrowing).filter((value) => value !== undefined).length;
  const isNarrow = set > 0 || band !== undefined || given('q') !== undefined;
  const summary = useGet('GET /users/summary', { query: matching });
  const pages = useList('GET /users', 'users', { query: listing });
  const list = requestOf('GET /users', { query: { ...listing, limit: 100 } });
  const csv = requestOf('GET /users', { query: { ...listing, format: 'csv' } });
  return (
    <Page
      title={texts.title}
      calls={[list, requestOf('GET /users/summary', { query: matching })]}
      actions={
        // A link cannot say which platform the operator looks at.
        viewing.value === null && (
          <a class="button" href={addressOf(csv.path)} download="book.csv">
            {texts.csv}
          </a>
        )
      }
    >
      <Query of={summary} height={132}>
        {({ matched, scored, bands: counts, central }) => (
          <section class="panel book-summary">
            <dl class="tiles">
              <Tile name={texts.all} value={matched} note={`${formatNumber(scored)} ${texts.scored}`} />
              <Tile name={texts.median} value={pointsOrNone(central.median)} />
              <Tile name={texts.mean} value={pointsOrNone(central.mean)} />
            </dl>
            {counts === null && <p class="soft">{texts.tooMany}</p>}
            <Chips
              label={texts.band}
              options={bands}
              textOf={(value) => bandText(value)}
              countOf={counts ? (value) => formatNumber(counts[value]) : undefined}
              chosen={band ?? null}
              onChoose={(value) => setQuery({ band: value })}
            />
          </section>
        )}
      </Query>
      <div class="filters">
        <Search
          label={texts.search}
          value={given('q') ?? ''}
          onSearch={(text) => setQuery({ q: text }, { replace: true })}
        />
        <details class="filter-details" open={set > 0}>
          <summary>{set > 0 ? texts.more(String(set)) : texts.filters}</summary>
          <Filters />
        </details>
        {isNarrow && (
          <Button
            text={texts.clear}
            class="quiet"
            onClick={() =>
              setQuery(Object.fromEntries(['q', 'band', ...filterNames].map((name) => [name, null])))
            }
          />
        )}
      </div>
      <Table
        label={texts.title}
        pages={pages}
        keyOf={({ externalId }) => externalId}
        onOpen={({ externalId }) => navigate(pathTo('/subject/{id}', { id: externalId }))}
        empty={<p>{isNarrow ? texts.noMatch : texts.empty}</p>}
        columns={[
          {
            title: texts.who,
            cell: ({ externalId, displayName, scoreFrozen }) => (
              <>
                <Who id={externalId} name={displayName} />
                {scoreFrozen && <span class="warn"> · {texts.frozen}</span>}
              </>
            ),
            width: 'minmax(6rem, 3fr)',
          },
          {
            title: texts.score,
            count: ({ finalScore }) => pointsOrNone(finalScore),
            width: '3.5rem',
          },
          {
            title: texts.band,
            cell: ({ scoreBand }) => <Band band={scoreBand} />,
            width: 'minmax(6.5rem, 9rem)',
          },
          {
            title: texts.confidence,
            count: ({ confidence }) => (confidence === null ? null : formatPercent(confidence)),
            width: '6rem',
            hideBelow: 1000,
          },
          { title: texts.outcomes, count: ({ eventCount }) => eventCount, width: '5.5rem', hideBelow: 640 },
          { title: texts.verified, count: (row) => row.verifiedEventCount, width: '5rem', hideBelow: 1000 },
          {
            title: texts.kind,
            cell: ({ subjectType }) => wordsFor('subjectType', subjectType),
            width: '7rem',
            hideBelow: 1000,
          },
          {
            title: texts.active,
            since: ({ lastActivityAt }) => lastActivityAt,
            width: '9rem',
            hideBelow: 640,
          },
        ]}
      />
    </Page>
  );
}

function pointsOrNone(points: number | null): string | null {
  return points === null ? null : formatNumber(points, 2);
}
