import './overview.css';
import { useMemo } from 'preact/hooks';
import { type AnswerOf, get, requestOf } from '../../kit/api.ts';
import { CopyButton } from '../../kit/Button.tsx';
import { Chart } from '../../kit/Chart.tsx';
import { curlOf } from '../../kit/CurlButton.tsx';
import { formatDay, formatNumber } from '../../kit/format.ts';
import { Legend } from '../../kit/Legend.tsx';
import { Link } from '../../kit/Link.tsx';
import { once } from '../../kit/once.ts';
import { Page, Panel, Tile } from '../../kit/parts.tsx';
import { Query, useGet } from '../../kit/Query.tsx';
import { isReadOnly, may } from '../../kit/session.ts';
import { HOURS, NeedsAttention, OPEN } from './Attention.tsx';
import { BookTiles } from './BookTiles.tsx';
import { ClockChoice } from './ClockChoice.tsx';
import { useClock, WINDOW } from './clock.ts';
import { Movers, WEEK } from './Movers.tsx';
import { texts } from './texts.ts';
import { OpenDisputes, PENDING, PendingConfirmations } from './Waiting.tsx';

/** The book at a glance, and what waits or fails. */
export default function Overview() {
  const clock = useClock();
  const { by, events } = clock;
  const scores = useGet(
    'GET /analytics/scores',
    { query: { ...WINDOW, by } },
    { isEnabled: by !== undefined },
  );
  const readDisputes = useMemo(() => once(() => get('GET /disputes', { query: OPEN })), []);
  const hasWebhooks = may('webhooks', 'read');
  const calls = [
    requestOf('GET /analytics/scores', { query: { ...WINDOW, by } }),
    requestOf('GET /analytics/movers', { query: { ...WEEK, by } }),
    requestOf('GET /analytics/events', { query: { ...WINDOW, by } }),
    requestOf('GET /reviews', { query: OPEN }),
    requestOf('GET /disputes', { query: OPEN }),
    requestOf('GET /confirmations', { query: PENDING }),
    ...(hasWebhooks ? [requestOf('GET /webhooks/attempts', { query: HOURS })] : []),
  ];
  return (
    <Page title={texts.title} calls={calls}>
      <NeedsAttention readDisputes={readDisputes} />
      <Query of={scores} height={430} isEmpty={({ subjects }) => subjects === 0} empty={<EmptyBook />}>
        {(book) => (
          <>
            <ClockChoice
              of={clock}
              isTooLarge={by === 'outcome' && book.by === 'recorded' && !scores.isLoading}
            />
            <BookTiles of={book} />
            <Panel title={texts.averages[book.by]}>
              <Chart
                label={texts.averages[book.by]}
                times={book.daily.map(({ date }) => Date.parse(date) / 1000)}
                series={[{ label: texts.average, values: book.daily.map(({ meanScore }) => meanScore) }]}
                timeText={(seconds) => formatDay(new Date(seconds * 1000))}
                valueText={(value) => formatNumber(value, 1)}
                within={[0, 100]}
              />
            </Panel>
            {events && <Outcomes of={events} />}
          </>
        )}
      </Query>
      {scores.data?.subjects !== 0 && <Movers by={by} />}
      <div class="columns">
        <OpenDisputes read={readDisputes} />
        <PendingConfirmations />
        <Queue />
      </div>
    </Page>
  );
}

/** How many outcomes happened, or were recorded, each day. */
function Outcomes({ of: { by, daily } }: { of: AnswerOf<'GET /analytics/events'> }) {
  const series = [
    { label: texts.allOutcomes, values: daily.map(({ total }) => total), color: '--soft' },
    { label: texts.verifiedOutcomes, values: daily.map(({ verified }) => verified) },
  ];
  return (
    <Panel title={texts.outcomes[by]}>
      <Legend of={series} />
      <Chart
        label={texts.outcomes[by]}
        times={daily.map(({ date }) => Date.parse(date) / 1000)}
        series={series}
        timeText={(seconds) => formatDay(new Date(seconds * 1000))}
        valueText={(value) => formatNumber(value)}
        height={160}
      />
    </Panel>
  );
}

/** How far scores and deliveries are behind. */
export function Queue() {
  const status = useGet('GET /status.json');
  return (
    <Panel title={texts.queue}>
      <Query of={status} height={140}>
        {({ checks: { worker, outbox } }) => (
          <dl class="tiles">
            <Delay name={texts.scoresBehind} seconds={worker.queueLagSeconds} status={worker.status} />
            <Delay name={texts.deliveriesBehind} seconds={outbox.waitingSeconds} status={outbox.status} />
          </dl>
        )}
      </Query>
    </Panel>
  );
}

interface DelayProps {
  name: string;
  seconds: number | null;
  status: string;
}

function Delay({ name, seconds, status }: DelayProps) {
  const isBad = status !== 'ok';
  const value = seconds === null ? null : texts.seconds(formatNumber(seconds));
  return <Tile name={name} class={isBad ? 'bad' : undefined} value={value} note={isBad && texts.late} />;
}

const FIRST_OUTCOME = { userId: 'worker-1', eventType: 'CONTRACT_FULFILLED' };

/** The next step of a platform without a subject. */
function EmptyBook() {
  if (isReadOnly.value) return <p>{texts.empty}</p>;
  const command = curlOf(requestOf('POST /events', { body: FIRST_OUTCOME }));
  return (
    <>
      <p>{texts.empty}</p>
      <p>{texts.report}</p>
      <pre class="code" tabIndex={0}>
        {command}
      </pre>
      <div class="actions">
        <CopyButton text={command} />
        <Link to="/imports">{texts.import}</Link>
      </div>
    </>
  );
}
