import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { Given, Select } from '../../kit/form.tsx';
import { formatPercent } from '../../kit/format.ts';
import { Moment, Panel, ScrollRegion } from '../../kit/parts.tsx';
import { Failure, Query } from '../../kit/Query.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAction.ts';
import { useGet } from '../../kit/useQuery.ts';
import { texts } from './texts.ts';

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
        <button type="submit" disabled={act.isBusy}>
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
          <ScrollRegion label={texts.backtests}>
            <table class="figures">
              <tbody>
                {list.map((backtest) => (
                  <tr key={backtest.id}>
                    <th scope="row">
                      <Moment at={backtest.createdAt} distance />
                    </th>
                    <td>{texts.bases[backtest.by]}</td>
                    <td class="end">
                      <Result of={backtest} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
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
