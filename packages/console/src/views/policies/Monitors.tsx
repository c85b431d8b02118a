import { useSignal } from '@preact/signals';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { formatPoints } from '../../kit/format.ts';
import { kitTexts } from '../../kit/kitTexts.ts';
import { Moment, Panel, Rows, SubjectLink } from '../../kit/parts.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { Search } from '../../kit/Search.tsx';
import { may } from '../../kit/session.ts';
import { useGet } from '../../kit/useQuery.ts';
import { AddMonitor } from './AddMonitor.tsx';
import { RowActions } from './RowActions.tsx';
import { texts } from './texts.ts';

type Monitor = AnswerOf<'GET /monitors'>['monitors'][number];

const LIMIT = 100;

/** The monitors of single subjects: the newest, or those of one. */
export function Monitors() {
  const isAdding = useSignal(false);
  const userId = query.value.get('userId');
  const loaded = useGet('GET /monitors', { query: { limit: LIMIT, userId } });
  return (
    <Panel title={texts.monitors}>
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
      <Rows
        of={loaded}
        rows={({ monitors }) => monitors}
        class="entries with-actions"
        height={140}
        empty={<p>{texts.noMonitors}</p>}
      >
        {(monitor) => {
          const { isActive, lastTriggeredAt } = monitor;
          const call = { params: { id: monitor.id } };
          return (
            <>
              <div>
                <SubjectLink id={monitor.userId} />{' '}
                <span class={isActive ? 'good' : 'warn'}>{isActive ? kitTexts.active : kitTexts.paused}</span>
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
            </>
          );
        }}
      </Rows>
      {isAdding.value && (
        <AddMonitor userId={userId} onAdded={loaded.reload} onClose={() => (isAdding.value = false)} />
      )}
    </Panel>
  );
}

function termsText({ belowScore, aboveScore, onBandChange }: Monitor): string {
  const terms = [
    belowScore !== null && `${texts.below} ${formatPoints(belowScore)}`,
    aboveScore !== null && `${texts.above} ${formatPoints(aboveScore)}`,
    onBandChange && texts.bandChanges,
  ];
  return terms.filter(Boolean).join(', ');
}
