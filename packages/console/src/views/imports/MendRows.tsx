import { useSignal } from '@preact/signals';
import { csvText } from '@reliability/client/csv-file';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { Panel } from '../../kit/parts.tsx';
import { Failure, Query } from '../../kit/Query.tsx';
import { setQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { useAct } from '../../kit/useAction.ts';
import { useGet } from '../../kit/useQuery.ts';
import { MendTable } from './MendTable.tsx';
import { keepSentRows, sentRows } from './mapping.ts';
import { SavedMappings } from './SavedMappings.tsx';
import { texts } from './texts.ts';

type Import = AnswerOf<'POST /imports'>;
type Issues = AnswerOf<'GET /imports/{id}/errors'>;

/** As many rows as an import records before it answers, so that the answer says what became of them. */
const ROWS = 100;

/** The rows that failed, to correct in place and to send again. */
export function MendRows({ importId }: { importId: string }) {
  const offset = useSignal(0);
  const input = { params: { id: importId }, query: { limit: ROWS, offset: offset.value } };
  const issues = useGet('GET /imports/{id}/errors', input);
  return (
    <Panel title={texts.mend}>
      <Query
        of={issues}
        height={240}
        isEmpty={({ errors, offset }) => errors.length === 0 && offset === 0}
        empty={<p>{issues.data?.failedCount === 0 ? texts.nothingFailed : texts.reasonsGone}</p>}
      >
        {(loaded) => (
          <>
            <Mend key={loaded.offset} importId={importId} of={loaded} />
            <div class="actions import-actions">
              {loaded.offset > 0 && (
                <button type="button" onClick={() => (offset.value -= ROWS)}>
                  {texts.previousFailed}
                </button>
              )}
              {loaded.errors.length === ROWS && (
                <button type="button" onClick={() => (offset.value += ROWS)}>
                  {texts.nextFailed}
                </button>
              )}
            </div>
          </>
        )}
      </Query>
    </Panel>
  );
}

function Mend({ importId, of: { columns, errors, mapping: used } }: { importId: string; of: Issues }) {
  const changed = useSignal<Readonly<Record<number, readonly string[]>>>({});
  const failedAgain = useSignal<Readonly<Record<number, string>>>({});
  const sent = useSignal(sentRows(importId));
  const last = useSignal<Import | null>(null);
  const mapping = useSignal<object | null>(used);
  const act = useAct();
  const open = errors.filter(({ row }) => !sent.value.includes(row));
  const mended = Object.entries(changed.value);
  const sendMended = async () => {
    const csv = csvText([columns ?? [], ...mended.map(([, cells]) => cells)]);
    const answer = await act.run(requestOf('POST /imports', { body: { csv, mapping: mapping.value } }));
    if (!answer) return;
    const issues = await act.run(
      requestOf('GET /imports/{id}/errors', { params: { id: answer.id }, query: { limit: ROWS } }),
    );
    const reasons = new Map(issues?.errors.map(({ row, reason }) => [row, reason]));
    const results = mended.map(([row, cells], index) => ({ row, cells, reason: reasons.get(index + 1) }));
    const failed = results.filter(({ reason }) => reason !== undefined);
    changed.value = Object.fromEntries(failed.map(({ row, cells }) => [row, cells]));
    failedAgain.value = Object.fromEntries(failed.map(({ row, reason }) => [row, reason ?? '']));
    const done = results.filter(({ reason }) => reason === undefined).map(({ row }) => Number(row));
    sent.value = keepSentRows(importId, done);
    last.value = answer;
  };
  return (
    <>
      {open.length > 0 && <p class="soft">{texts.mendHow}</p>}
      {sent.value.length > 0 && <p class="good">{texts.sentRows(sent.value.join(', '))}</p>}
      {last.value && (
        <div class="note" role="status">
          <p>{texts.mendedNow(last.value)}</p>
          <button type="button" onClick={() => setQuery({ import: last.value?.id ?? null })}>
            {texts.toMended}
          </button>
        </div>
      )}
      {open.length > 0 && (
        <MendTable
          columns={columns}
          errors={open.map((error) => ({ ...error, reason: failedAgain.value[error.row] ?? error.reason }))}
          changed={changed.value}
          onChange={(row, cells) => (changed.value = { ...changed.value, [row]: cells })}
        />
      )}
      {act.failure && <Failure of={act.failure} />}
      {open.length > 0 && may('events', 'write') && (
        <div class="actions import-actions">
          {!mapping.value && (
            <>
              <p class="soft">{texts.needsMapping}</p>
              <SavedMappings label={texts.saved} onChoose={(saved) => (mapping.value = saved)} />
            </>
          )}
          <button
            type="button"
            class="primary"
            disabled={mended.length === 0 || mapping.value === null || act.isBusy}
            onClick={sendMended}
          >
            {act.isBusy ? texts.starting : texts.sendMended(mended.length)}
          </button>
        </div>
      )}
    </>
  );
}
