import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { Chart } from '../../kit/Chart.tsx';
import { Download } from '../../kit/Download.tsx';
import { formatDay, formatNumber } from '../../kit/format.ts';
import { Legend } from '../../kit/Legend.tsx';
import { Chips, Figures, Moment, Page, Panel, Tile } from '../../kit/parts.tsx';
import { Query, useGet } from '../../kit/Query.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { texts } from './texts.ts';
import './usage.css';

const WINDOWS = ['7', '30', '90', '400'] as const;

/** Calls by day and operation, and what is left of the month. */
export default function Usage() {
  const days = WINDOWS.find((known) => known === query.value.get('days')) ?? '30';
  const isEnabled = may('usage', 'read');
  const window = { query: { days } };
  const quota = useGet('GET /usage/quota', {}, { isEnabled });
  const usage = useGet('GET /usage', window, { isEnabled });
  const calls = [requestOf('GET /usage', window), requestOf('GET /usage/quota')];
  if (!isEnabled)
    return (
      <Page title={texts.title}>
        <p class="note">{texts.notAllowed}</p>
      </Page>
    );
  return (
    <Page
      title={texts.title}
      calls={calls}
      actions={
        <Download
          call={requestOf('GET /usage', { query: { days, format: 'csv' } })}
          name={`usage-${days}-days.csv`}
          text={texts.download}
        />
      }
    >
      <Panel title={texts.quota}>
        <Query of={quota} height={92}>
          {(month) => <Month of={month} />}
        </Query>
      </Panel>
      <div class="filters">
        <Chips
          label={texts.window}
          options={WINDOWS}
          textOf={texts.days}
          chosen={days}
          onChoose={(value) => setQuery({ days: value })}
        />
      </div>
      <Query of={usage} height={520} isEmpty={({ total }) => total === 0} empty={<p>{texts.empty}</p>}>
        {(window) => <Window of={window} />}
      </Query>
    </Page>
  );
}

/** What the quota counts is less than the calls below, so it is not called that. */
function Month({ of: { unlimited, cap, used, remaining, periodEnd } }: { of: AnswerOf<'GET /usage/quota'> }) {
  if (unlimited || cap === null) return <p>{texts.noQuota}</p>;
  const text = texts.used(formatNumber(used), formatNumber(cap));
  return (
    <>
      <p>
        <strong>{text}</strong> <span class="soft">{texts.counts}</span>
      </p>
      <meter class="quota" min={0} max={cap} high={cap * 0.8} value={used} aria-label={text}>
        {text}
      </meter>
      <p class="soft">
        {remaining !== null && `${texts.left}: ${formatNumber(remaining)} · `}
        {texts.resets}: <Moment at={periodEnd} distance />
      </p>
    </>
  );
}

function Window({ of }: { of: AnswerOf<'GET /usage'> }) {
  const { days, total, endpoints, rateLimitPerMinute, truncated } = of;
  const series = [
    { label: texts.ok, values: days.map(({ ok }) => ok), color: '--good' },
    { label: texts.clientError, values: days.map(({ clientError }) => clientError), color: '--warn' },
    { label: texts.serverError, values: days.map(({ serverError }) => serverError), color: '--bad' },
  ];
  return (
    <>
      <Panel title={texts.calls}>
        <dl class="tiles">
          <Tile name={texts.total(formatNumber(days.length))} value={total} />
          <Tile name={texts.perMinute} value={rateLimitPerMinute || texts.unlimited} />
        </dl>
        <Legend of={series} />
        <Chart
          label={texts.calls}
          times={days.map(({ date }) => Date.parse(date) / 1000)}
          series={series}
          timeText={(seconds) => formatDay(new Date(seconds * 1000))}
          valueText={(value) => formatNumber(value)}
        />
        {truncated && <p class="soft">{texts.truncated}</p>}
      </Panel>
      <Panel title={texts.busiest}>
        <Figures
          label={texts.busiest}
          class="numbers"
          heads={[texts.operation, texts.count]}
          rows={endpoints.map(({ route, count }) => ({
            key: route,
            cells: [<code>{route}</code>, formatNumber(count)],
          }))}
        />
      </Panel>
    </>
  );
}
