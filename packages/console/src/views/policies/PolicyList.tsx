import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { wordsFor } from '../../kit/enumTexts.ts';
import { formatPoints } from '../../kit/format.ts';
import { kitTexts } from '../../kit/kitTexts.ts';
import { Panel, Rows } from '../../kit/parts.tsx';
import { setQuery } from '../../kit/router.ts';
import { useGet } from '../../kit/useQuery.ts';
import { RowActions } from './RowActions.tsx';
import { texts } from './texts.ts';

type Condition = AnswerOf<'GET /policies'>['policies'][number]['condition'];

/** A plan caps the active policies far below this. */
const LIMIT = 100;

/** The saved policies. */
export function PolicyList({ round }: { round: number }) {
  const loaded = useGet('GET /policies', { query: { limit: LIMIT } }, { version: round });
  const show = ({ threshold, direction }: Condition) => {
    setQuery({ threshold: String(threshold), direction });
    scrollTo(0, 0);
  };
  return (
    <Panel title={texts.policies}>
      <Rows
        of={loaded}
        rows={({ policies }) => policies}
        class="entries with-actions"
        height={140}
        empty={<p>{texts.noPolicies}</p>}
      >
        {({ id, name, condition, userId, isActive }) => (
          <>
            <div>
              <strong dir="auto">{name}</strong>{' '}
              <span class={isActive ? 'good' : 'warn'}>{isActive ? kitTexts.active : kitTexts.paused}</span>
              <p class="soft">
                {conditionText(condition)} · <bdi>{userId ?? texts.forAll}</bdi>
              </p>
            </div>
            <RowActions
              name={name}
              isActive={isActive}
              toggle={requestOf('PATCH /policies/{id}', { params: { id }, body: { isActive: !isActive } })}
              remove={requestOf('DELETE /policies/{id}', { params: { id } })}
              onChanged={loaded.reload}
            >
              {condition.metric === 'score' && (
                <button type="button" onClick={() => show(condition)}>
                  {texts.show}
                </button>
              )}
            </RowActions>
          </>
        )}
      </Rows>
    </Panel>
  );
}

function conditionText({ metric, direction, threshold, component, band }: Condition): string {
  const subject = component === null ? '' : ` ${wordsFor('component', component)}`;
  const limit = band === null ? formatPoints(threshold ?? 0) : wordsFor('scoreBand', band);
  return `${wordsFor('policyMetric', metric)}${subject} ${texts[direction]} ${limit}`;
}
