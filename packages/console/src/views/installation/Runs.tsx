import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { Given, Select } from '../../kit/form.tsx';
import { formatNumber, formatPercent } from '../../kit/format.ts';
import { Figures, Moment, Panel } from '../../kit/parts.tsx';
import { Failure, Query, useGet } from '../../kit/Query.tsx';
import { mayOperate } from '../../kit/session.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAction.ts';
import { texts } from './texts.ts';

type Audit = AnswerOf<'GET /admin/audits'>['audits'][number];

/** What the ledger audit found, run by run. */
export function Audits() {
  const audits = useGet('GET /admin/audits');
  return (
    <Panel title={texts.audits} lead={texts.auditNote}>
      <Query
        of={audits}
        height={120}
        isEmpty={({ audits: runs }) => runs.length === 0}
        empty={
          <>
            <p>{texts.noAudit}</p>
            <pre class="code">npm run audit-ledger</pre>
          </>
        }
      >
        {({ audits: runs }) => (
          <Figures
            label={texts.audits}
            class="figures"
            heads={[texts.ended, texts.found, texts.events, texts.leaves, texts.duration]}
            rows={runs.map((run) => ({
              key: run.id,
              cells: [
                <Moment at={run.endedAt} distance />,
                <span class={run.differences === 0 ? 'good' : 'bad'}>
                  {run.differences === 0 ? texts.clean : texts.differences(run.differences)}
                </span>,
                formatNumber(sumOf(run, ({ ledger }) => ledger.events)),
                formatNumber(sumOf(run, ({ log }) => log.leaves)),
                texts.seconds(formatNumber(secondsOf(run))),
              ],
            }))}
          />
        )}
      </Query>
    </Panel>
  );
}

function sumOf({ groups }: Audit, count: (group: Audit['groups'][number]) => number): number {
  return groups.reduce((sum, group) => sum + count(group), 0);
}

function secondsOf({ startedAt, endedAt }: Audit): number {
  return Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
}

type Backtest = AnswerOf<'GET /admin/analytics/backtest'>['backtests'][number];

const PROGRESS_EVERY_MS = 5_000;
const BASES = ['recorded', 'outcome'] as const;

/** Whether scores said what came after, over all platforms. */
export function Backtests() {
  const backtests = useGet('GET /admin/analytics/backtest', {}, { everyMs: PROGRESS_EVERY_MS });
  const act = useAct();

  const start = (event: SubmitEvent) => {
    event.preventDefault();
    const by = new Given(event.currentTarget as HTMLFormElement).text('by');
    void act.run(requestOf('POST /admin/analytics/backtest', { body: { by } }), () => {
      toast(texts.backtestStarted);
      backtests.reload();
    });
  };
  return (
    <Panel title={texts.backtests} lead={texts.backtestsNote}>
      <form class="filters" onSubmit={start}>
        <Select
          name="by"
          label={texts.basis}
          of={BASES}
          textOf={(basis) => texts.bases[basis]}
          chosen="recorded"
        />
        <button type="submit" disabled={act.isBusy || !mayOperate.value}>
          {texts.startBacktest}
        </button>
      </form>
      {act.failure && <Failure of={act.failure} />}
      <Query
        of={backtests}
        height={80}
        isEmpty={({ backtests: list }) => list.length === 0}
        empty={<p>{texts.noBacktest}</p>}
      >
        {({ backtests: list }) => (
          <Figures
            label={texts.backtests}
            class="figures"
            rows={list.map((backtest) => ({
              key: backtest.id,
              cells: [
                <Moment at={backtest.createdAt} distance />,
                texts.bases[backtest.by],
                <Result of={backtest} />,
              ],
            }))}
          />
        )}
      </Query>
    </Panel>
  );
}

function Result({ of: { id, status, progress, error } }: { of: Backtest }) {
  switch (status) {
    case 'COMPLETED':
      return (
        <a
          href={`/console/api/admin/analytics/backtest/${id}?format=html`}
          target="_blank"
          rel="noopener noreferrer"
        >
          {texts.report}
        </a>
      );
    case 'FAILED':
      return <span class="bad">{error}</span>;
    default:
      return <span class="warn">{texts.underWay(formatPercent(progress / 100))}</span>;
  }
}
