import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { ConfirmButton } from '../../kit/Confirm.tsx';
import { wordsFor } from '../../kit/enumTexts.ts';
import { formatPoints } from '../../kit/format.ts';
import { kitTexts } from '../../kit/kitTexts.ts';
import { bandText, Moment, Panel, Rows, SubjectLink } from '../../kit/parts.tsx';
import { Failure, useGet } from '../../kit/Query.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { Search } from '../../kit/Search.tsx';
import { type Call, may } from '../../kit/session.ts';
import { useAct } from '../../kit/useAction.ts';
import { AddMonitor } from './PolicyDialogs.tsx';
import { texts } from './texts.ts';

type Condition = AnswerOf<'GET /policies'>['policies'][number]['condition'];

/** A plan caps the active policies far below this. Of monitors, the newest are shown. */
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
              sure={texts.deletePolicy(name)}
              terms={conditionText(condition)}
              isActive={isActive}
              toggle={requestOf('PATCH /policies/{id}', { params: { id }, body: { isActive: !isActive } })}
              remove={requestOf('DELETE /policies/{id}', { params: { id } })}
              onChanged={loaded.reload}
            >
              {condition.metric === 'score' && <Button text={texts.show} onClick={() => show(condition)} />}
            </RowActions>
          </>
        )}
      </Rows>
    </Panel>
  );
}

function conditionText({ metric, direction, threshold, component, band }: Condition): string {
  const subject = component === null ? '' : ` ${wordsFor('component', component)}`;
  const limit = band === null ? formatPoints(threshold ?? 0) : bandText(band);
  return `${wordsFor('policyMetric', metric)}${subject} ${texts[direction]} ${limit}`;
}

type Monitor = AnswerOf<'GET /monitors'>['monitors'][number];

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
          <Button text={texts.addMonitor} onClick={() => (isAdding.value = true)} />
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
                sure={texts.deleteMonitor(monitor.userId)}
                terms={termsText(monitor)}
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

interface RowActionsProps {
  /** The question before it is deleted. */
  sure: string;
  /** What it reports. */
  terms: string;
  isActive: boolean;
  toggle: Call<unknown>;
  remove: Call<unknown>;
  onChanged: () => void;
  children?: ComponentChildren;
}

/** Pauses, activates or deletes a policy or a monitor. */
function RowActions({ sure, terms, isActive, toggle, remove, onChanged, children }: RowActionsProps) {
  const act = useAct();
  return (
    <div>
      <div class="actions">
        {children}
        {may('webhooks', 'write') && (
          <>
            <Button
              text={isActive ? kitTexts.pause : kitTexts.activate}
              disabled={act.isBusy}
              onClick={() => act.run(toggle, onChanged)}
            />
            <ConfirmButton
              text={kitTexts.delete}
              title={sure}
              submit={kitTexts.delete}
              lost={[texts.deleteLost(terms), texts.deleteNote]}
              call={() => remove}
              onDone={onChanged}
            />
          </>
        )}
      </div>
      {act.failure && <Failure of={act.failure} />}
    </div>
  );
}
