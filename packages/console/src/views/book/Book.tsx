import { get, requestOf } from '../../kit/api.ts';
import { Band, bands, bandText } from '../../kit/Band.tsx';
import { Chips } from '../../kit/Chips.tsx';
import { formatNumber, formatPercent } from '../../kit/format.ts';
import { Moment } from '../../kit/Moment.tsx';
import { Page } from '../../kit/Page.tsx';
import { Query } from '../../kit/Query.tsx';
import { navigate, pathTo, query, setQuery } from '../../kit/router.ts';
import { Search } from '../../kit/Search.tsx';
import { viewing } from '../../kit/session.ts';
import { Table } from '../../kit/Table.tsx';
import { t } from '../../kit/texts.ts';
import { usePages, useQuery } from '../../kit/useQuery.ts';
import './book.css';
import { Filters, filterNames } from './Filters.tsx';
import { texts as catalogue } from './texts.ts';

/** Rows a page. */
const LIMIT = 100;

/** Everybody on the book: search, filters, a table of any length. */
export default function Book() {
  const texts = t(catalogue);
  const given = (name: string) => query.value.get(name) ?? undefined;
  const band = bands.find((known) => known === given('band'));
  const narrowing = Object.fromEntries(filterNames.map((name) => [name, given(name)]));
  const matching = { q: given('q'), ...narrowing };
  const listing = { ...matching, band, sort: given('sort'), order: given('order') };
  const set = Object.values(narrowing).filter((value) => value !== undefined).length;
  const isNarrow = set > 0 || band !== undefined || given('q') !== undefined;
  const summary = useQuery(
    (signal) => get('GET /users/summary', { query: matching }, signal),
    [JSON.stringify(matching)],
  );
  const pages = usePages(
    async (cursor, signal) => {
      const page = await get('GET /users', { query: { ...listing, limit: LIMIT, cursor } }, signal);
      return { rows: page.users, nextCursor: page.nextCursor };
    },
    [JSON.stringify(listing)],
  );
  const list = requestOf('GET /users', { query: { ...listing, limit: LIMIT } });
  const csv = requestOf('GET /users', { query: { ...listing, format: 'csv' } });
  return (
    <Page
      title={texts.title}
      calls={[list, requestOf('GET /users/summary', { query: matching })]}
      actions={
        // A link cannot say which platform the operator looks at.
        viewing.value === null && (
          <a class="button" href={`/console/api${csv.path}`} download="book.csv">
            {texts.csv}
          </a>
        )
      }
    >
      <Query of={summary} height={132}>
        {({ matched, scored, bands: counts, central }) => (
          <section class="panel book-summary">
            <dl class="tiles">
              <div>
                <dt>{texts.all}</dt>
                <dd>
                  {formatNumber(matched)}{' '}
                  <small>
                    {formatNumber(scored)} {texts.scored}
                  </small>
                </dd>
              </div>
              <div>
                <dt>{texts.median}</dt>
                <dd>{central.median === null ? '–' : formatNumber(central.median, 2)}</dd>
              </div>
              <div>
                <dt>{texts.mean}</dt>
                <dd>{central.mean === null ? '–' : formatNumber(central.mean, 2)}</dd>
              </div>
            </dl>
            {counts === null && <p class="soft">{texts.tooMany}</p>}
            <Chips
              label={texts.band}
              options={bands.map((value) => ({
                value,
                text: bandText(value),
                ...(counts && { count: formatNumber(counts[value]) }),
              }))}
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
          <button
            type="button"
            class="quiet"
            onClick={() =>
              setQuery(Object.fromEntries(['q', 'band', ...filterNames].map((name) => [name, null])))
            }
          >
            {texts.clear}
          </button>
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
            title: texts.id,
            cell: ({ externalId, scoreFrozen }) => (
              <>
                <code title={externalId}>{externalId}</code>
                {scoreFrozen && <span class="warn"> · {texts.frozen}</span>}
              </>
            ),
            width: 'minmax(6rem, 3fr)',
          },
          {
            title: texts.score,
            cell: ({ finalScore }) => (finalScore === null ? '–' : formatNumber(finalScore, 2)),
            width: '3.5rem',
            align: 'end',
          },
          {
            title: texts.band,
            cell: ({ scoreBand }) => <Band band={scoreBand} />,
            width: 'minmax(6.5rem, 9rem)',
          },
          {
            title: texts.confidence,
            cell: ({ confidence }) => (confidence === null ? '–' : formatPercent(confidence)),
            width: '6rem',
            align: 'end',
            hideBelow: 1000,
          },
          {
            title: texts.outcomes,
            cell: ({ eventCount }) => formatNumber(eventCount),
            width: '5.5rem',
            align: 'end',
            hideBelow: 640,
          },
          {
            title: texts.verified,
            cell: ({ verifiedEventCount }) => formatNumber(verifiedEventCount),
            width: '5rem',
            align: 'end',
            hideBelow: 1000,
          },
          {
            title: texts.kind,
            cell: ({ subjectType }) => texts[subjectType],
            width: '7rem',
            hideBelow: 1000,
          },
          {
            title: texts.active,
            cell: ({ lastActivityAt }) =>
              lastActivityAt === null ? '–' : <Moment at={lastActivityAt} distance />,
            width: '9rem',
            hideBelow: 640,
          },
        ]}
      />
    </Page>
  );
}
