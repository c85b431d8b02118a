import { type AnswerOf, get, requestOf } from '../../kit/api.ts';
import { Chart } from '../../kit/Chart.tsx';
import { Chips } from '../../kit/Chips.tsx';
import { Download } from '../../kit/Download.tsx';
import { formatDay, formatNumber } from '../../kit/format.ts';
import { Moment } from '../../kit/Moment.tsx';
import { Page } from '../../kit/Page.tsx';
import { Query } from '../../kit/Query.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { may, mode } from '../../kit/session.ts';
import { t } from '../../kit/texts.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { texts as catalogue } from './texts.ts';
import './usage.css';

const WINDOWS = ['7', '30', '90', '400'] as const;

/** Calls by day and operation, and what is left of the month. */
export default function Usage() {
  const texts = t(catalogue);
  const days = WINDOWS.find((known) => known === query.value.get('days')) ?? '30';
  const isEnabled = may('usage', 'read');
  const window = { query: { days } };
  const quota = useQuery((signal) => get('GET /usage/quota', {}, signal), [], { isEnabled });
  const usage = useQuery((signal) => get('GET /usage', window, signal), [days], { isEnabled });
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
      <section class="panel">
        <h2>{texts.quota}</h2>
        <Query of={quota} height={92}>
          {(month) => <Month of={month} />}
        </Query>
      </section>
      <div class="filters">
        <Chips
          label={texts.window}
          options={WINDOWS.map((value) => ({ value, text: texts.days(value) }))}
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

function Month({ of: { unlimited, cap, used, remaining, periodEnd } }: { of: AnswerOf<'GET /usage/quota'> }) {
  const texts = t(catalogue);
  const isLimited = !unlimited && cap !== null;
  const text = isLimited ? texts.used(formatNumber(used), formatNumber(cap)) : texts.usedOnly(used);
  return (
    <>
      <p>
        <strong>{text}</strong>
        {mode.value === 'test' && <span class="soft"> {texts.testQuota}</span>}
      </p>
      {isLimited && (
        <meter class="quota" min={0} max={cap} high={cap * 0.8} value={used} aria-label={text}>
          {text}
        </meter>
      )}
      <p class="soft">
        {remaining !== null && `${texts.left}: ${formatNumber(remaining)} · `}
        {texts.resets}: <Moment at={periodEnd} distance />
      </p>
    </>
  );
}

function Window({
  of: { days, total, endpoints, rateLimitPerMinute, truncated },
}: {
  of: AnswerOf<'GET /usage'>;
}) {
  const texts = t(catalogue);
  const series = [
    { label: texts.ok, values: days.map(({ ok }) => ok), color: '--good' },
    { label: texts.clientError, values: days.map(({ clientError }) => clientError), color: '--warn' },
    { label: texts.serverError, values: days.map(({ serverError }) => serverError), color: '--bad' },
  ];
  return (
    <>
      <section class="panel">
        <h2>{texts.calls}</h2>
        <dl class="tiles">
          <div>
            <dt>{texts.total}</dt>
            <dd>{formatNumber(total)}</dd>
          </div>
          <div>
            <dt>{texts.perMinute}</dt>
            <dd>{rateLimitPerMinute === 0 ? texts.unlimited : formatNumber(rateLimitPerMinute)}</dd>
          </div>
        </dl>
        <Chart
          label={texts.calls}
          times={days.map(({ date }) => Date.parse(date) / 1000)}
          series={series}
          timeText={(seconds) => formatDay(new Date(seconds * 1000))}
          valueText={(value) => formatNumber(value)}
        />
        {truncated && <p class="soft">{texts.truncated}</p>}
      </section>
      <section class="panel">
        <h2>{texts.busiest}</h2>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.operation}</th>
              <th scope="col" class="end">
                {texts.count}
              </th>
            </tr>
          </thead>
          <tbody>
            {endpoints.map(({ route, count }) => (
              <tr key={route}>
                <th scope="row">
                  <code>{route}</code>
                </th>
                <td class="end">{formatNumber(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
