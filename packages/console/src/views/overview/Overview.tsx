import './overview.css';
import { get, requestOf } from '../../kit/api.ts';
import { Chart } from '../../kit/Chart.tsx';
import { formatDay, formatNumber } from '../../kit/format.ts';
import { Page } from '../../kit/Page.tsx';
import { Query } from '../../kit/Query.tsx';
import { may } from '../../kit/session.ts';
import { t } from '../../kit/texts.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { BookTiles } from './BookTiles.tsx';
import { EmptyBook } from './EmptyBook.tsx';
import { FailingEndpoints, HOURS } from './FailingEndpoints.tsx';
import { Movers, WEEK } from './Movers.tsx';
import { Queue } from './Queue.tsx';
import { texts as catalogue } from './texts.ts';
import { OPEN, OpenDisputes, PENDING, PendingConfirmations } from './Waiting.tsx';

const WINDOW = { days: 30 };

/** The book at a glance, and what waits or fails. */
export default function Overview() {
  const texts = t(catalogue);
  const scores = useQuery((signal) => get('GET /analytics/scores', { query: WINDOW }, signal), []);
  const hasWebhooks = may('webhooks', 'read');
  const calls = [
    requestOf('GET /analytics/scores', { query: WINDOW }),
    requestOf('GET /analytics/movers', { query: WEEK }),
    requestOf('GET /disputes', { query: OPEN }),
    requestOf('GET /confirmations', { query: PENDING }),
    ...(hasWebhooks ? [requestOf('GET /webhooks/attempts', { query: HOURS })] : []),
  ];
  return (
    <Page title={texts.title} calls={calls}>
      <Query of={scores} height={430} isEmpty={({ subjects }) => subjects === 0} empty={<EmptyBook />}>
        {(book) => (
          <>
            <BookTiles of={book} />
            <section class="panel">
              <h2>{texts.averages}</h2>
              <Chart
                label={texts.averages}
                times={book.daily.map(({ date }) => Date.parse(date) / 1000)}
                series={[{ label: texts.average, values: book.daily.map(({ meanScore }) => meanScore) }]}
                timeText={(seconds) => formatDay(new Date(seconds * 1000))}
                valueText={(value) => formatNumber(value, 1)}
                within={[0, 100]}
              />
            </section>
          </>
        )}
      </Query>
      {scores.data?.subjects !== 0 && <Movers />}
      <div class="columns">
        <OpenDisputes />
        <PendingConfirmations />
        {hasWebhooks && <FailingEndpoints />}
        <Queue />
      </div>
    </Page>
  );
}
