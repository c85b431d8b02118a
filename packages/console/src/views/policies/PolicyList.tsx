import { type AnswerOf, get, requestOf } from '../../kit/api.ts';
import { bandText } from '../../kit/Band.tsx';
import { formatNumber } from '../../kit/format.ts';
import { Query } from '../../kit/Query.tsx';
import { setQuery } from '../../kit/router.ts';
import { t } from '../../kit/texts.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { RowActions } from './RowActions.tsx';
import { texts as catalogue } from './texts.ts';

type Condition = AnswerOf<'GET /policies'>['policies'][number]['condition'];

/** A plan caps the active policies far below this. */
const LIMIT = 100;

/** The saved policies. */
export function PolicyList({ round }: { round: number }) {
  const texts = t(catalogue);
  const loaded = useQuery((signal) => get('GET /policies', { query: { limit: LIMIT } }, signal), [round]);
  return (
    <section class="panel">
      <h2>{texts.policies}</h2>
      <Query
        of={loaded}
        height={140}
        isEmpty={({ policies }) => policies.length === 0}
        empty={<p>{texts.noPolicies}</p>}
      >
        {({ policies }) => (
          <ul class="watch-list">
            {policies.map(({ id, name, condition, userId, isActive }) => {
              const call = { params: { id } };
              return (
                <li key={id}>
                  <div>
                    <strong dir="auto">{name}</strong>{' '}
                    <span class={isActive ? 'good' : 'warn'}>{isActive ? texts.active : texts.paused}</span>
                    <p class="soft">
                      {conditionText(condition)} · <bdi>{userId ?? texts.forAll}</bdi>
                    </p>
                  </div>
                  <RowActions
                    name={name}
                    isActive={isActive}
                    toggle={requestOf('PATCH /policies/{id}', { ...call, body: { isActive: !isActive } })}
                    remove={requestOf('DELETE /policies/{id}', call)}
                    onChanged={loaded.reload}
                  >
                    {condition.metric === 'score' && (
                      <button
                        type="button"
                        onClick={() => {
                          setQuery({
                            threshold: String(condition.threshold),
                            direction: String(condition.direction),
                          });
                          scrollTo(0, 0);
                        }}
                      >
                        {texts.show}
                      </button>
                    )}
                  </RowActions>
                </li>
              );
            })}
          </ul>
        )}
      </Query>
    </section>
  );

  function conditionText({ metric, direction, threshold, component, band }: Condition): string {
    const subject = component === null ? texts.of(metric) : `${texts.of(metric)} ${component}`;
    const limit =
      band === null ? formatNumber(threshold ?? 0, Number.isInteger(threshold) ? 0 : 2) : bandText(band);
    return `${subject} ${texts[direction]} ${limit}`;
  }
}
