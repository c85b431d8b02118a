import { useSignal } from '@preact/signals';
import { type AnswerOf, get, requestOf } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { Link } from '../../kit/Link.tsx';
import { Moment } from '../../kit/Moment.tsx';
import { Query } from '../../kit/Query.tsx';
import { pathTo, query, setQuery } from '../../kit/router.ts';
import { Search } from '../../kit/Search.tsx';
import { may } from '../../kit/session.ts';
import { t } from '../../kit/texts.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { AddMonitor } from './AddMonitor.tsx';
import { RowActions } from './RowActions.tsx';
import { texts as catalogue } from './texts.ts';

type Monitor = AnswerOf<'GET /monitors'>['monitors'][number];

const LIMIT = 100;

/** The monitors of single subjects: the newest, or those of one. */
export function Monitors() {
  const texts = t(catalogue);
  const isAdding = useSignal(false);
  const userId = query.value.get('userId');
  const loaded = useQuery(
    (signal) => get('GET /monitors', { query: { limit: LIMIT, userId } }, signal),
    [userId],
  );
  return (
    <section class="panel">
      <h2>{texts.monitors}</h2>
      <div class="filters">
        <Search
          label={texts.search}
          value={userId ?? ''}
          onSearch={(text) => setQuery({ userId: text }, { replace: true })}
        />
        {may('webhooks', 'write') && (
          <button type="button" onClick={() => (isAdding.value = true)}>
            {texts.addMonitor}
          </button>
        )}
      </div>
      <Query
        of={loaded}
        height={140}
        isEmpty={({ monitors }) => monitors.length === 0}
        empty={<p>{texts.noMonitors}</p>}
      >
        {({ monitors }) => (
          <ul class="watch-list">
            {monitors.map((monitor) => {
              const { id, isActive, lastTriggeredAt } = monitor;
              const call = { params: { id } };
              return (
                <li key={id}>
                  <div>
                    <Link to={pathTo('/subject/{id}', { id: monitor.userId })}>
                      <bdi>{monitor.userId}</bdi>
                    </Link>{' '}
                    <span class={isActive ? 'good' : 'warn'}>{isActive ? texts.active : texts.paused}</span>
                    <p class="soft">
                      {termsText(monitor)} · {texts.lastTriggered}:{' '}
                      {lastTriggeredAt ? <Moment at={lastTriggeredAt} /> : texts.never}
                    </p>
                  </div>
                  <RowActions
                    name={monitor.userId}
                    isActive={isActive}
                    toggle={requestOf('PATCH /monitors/{id}', { ...call, body: { isActive: !isActive } })}
                    remove={requestOf('DELETE /monitors/{id}', call)}
                    onChanged={loaded.reload}
                  />
                </li>
              );
            })}
          </ul>
        )}
      </Query>
      {isAdding.value && (
        <AddMonitor userId={userId} onAdded={loaded.reload} onClose={() => (isAdding.value = false)} />
      )}
    </section>
  );

  function termsText({ belowScore, aboveScore, onBandChange }: Monitor): string {
    const points = (value: number) => formatNumber(value, Number.isInteger(value) ? 0 : 2);
    return [
      belowScore === null ? null : `${texts.below} ${points(belowScore)}`,
      aboveScore === null ? null : `${texts.above} ${points(aboveScore)}`,
      onBandChange ? texts.bandChanges : null,
    ]
      .filter((text) => text !== null)
      .join(', ');
  }
}
