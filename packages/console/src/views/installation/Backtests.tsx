import { type AnswerOf, get, requestOf } from '../../kit/api.ts';
import { formatPercent } from '../../kit/format.ts';
import { Moment } from '../../kit/Moment.tsx';
import { Failure, Query } from '../../kit/Query.tsx';
import { ScrollRegion } from '../../kit/ScrollRegion.tsx';
import { t } from '../../kit/texts.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAct.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { texts as catalogue } from './texts.ts';

type Backtest = AnswerOf<'GET /admin/analytics/backtest'>['backtests'][number];

const PROGRESS_EVERY_MS = 5_000;
const BASES = ['recorded', 'outcome'] as const;

/** Whether scores said what came after, over all platforms. */
export function Backtests() {
  const texts = t(catalogue);
  const backtests = useQuery((signal) => get('GET /admin/analytics/backtest', {}, signal), [], {
    everyMs: PROGRESS_EVERY_MS,
  });
  const act = useAct();

  async function start(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const by = BASES.find((basis) => basis === data.get('by')) ?? 'recorded';
    if (!(await act.run(requestOf('POST /admin/analytics/backtest', { body: { by } })))) return;
    toast(texts.backtestStarted);
    backtests.reload();
  }

  return (
    <section class="panel">
      <h2>{texts.backtests}</h2>
      <p class="soft">{texts.backtestsNote}</p>
      <form class="filters" onSubmit={start}>
        <label>
          {texts.basis}{' '}
          <select name="by">
            {BASES.map((basis) => (
              <option key={basis} value={basis}>
                {texts.bases[basis]}
              </option>
            ))}
          </select>
        </label>
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
    </section>
  );
}

function Result({ of: { id, status, progress, error } }: { of: Backtest }) {
  const texts = t(catalogue);
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
