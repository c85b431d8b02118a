import './overview.css';
import { requestOf } from '../../kit/api.ts';
import { Chart } from '../../kit/Chart.tsx';
import { formatDay, formatNumber } from '../../kit/format.ts';
import { Page, Panel } from '../../kit/parts.tsx';
import { Query } from '../../kit/Query.tsx';
import { may } from '../../kit/session.ts';
import { useGet } from '../../kit/useQuery.ts';
import { BookTiles } from './BookTiles.tsx';
import { EmptyBook } from './EmptyBook.tsx';
import { FailingEndpoints, HOURS } from './FailingEndpoints.tsx';
import { Movers, WEEK } from './Movers.tsx';
import { Queue } from './Queue.tsx';
import { texts } from './texts.ts';
import { OPEN, OpenDisputes, PENDING, PendingConfirmations } from './Waiting.tsx';

const WINDOW = { days: 30 };

/** The book at a glance, and what waits or fails. */
export default function Overview() {
  const scores = useGet('GET /analytics/scores', { query: WINDOW });
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
            <Panel title={texts.averages}>
              <Chart
                label={texts.averages}
                times={book.daily.map(({ date }) => Date.parse(date) / 1000)}
                series={[{ label: texts.average, values: book.daily.map(({ meanScore }) => meanScore) }]}
                timeText={(seconds) => formatDay(new Date(seconds * 1000))}
                valueText={(value) => formatNumber(value, 1)}
                within={[0, 100]}
              />
            </Panel>
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
