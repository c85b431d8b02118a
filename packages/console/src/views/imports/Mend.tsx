import { useSignal } from '@preact/signals';
import { csvText } from '@reliability/client/csv-file';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { Panel } from '../../kit/parts.tsx';
import { Failure, Query, useGet } from '../../kit/Query.tsx';
import { setQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { useAct } from '../../kit/useAction.ts';
import { SavedMappings } from './MappingFields.tsx';
import { keepSentRows, sentRows } from './mapping.ts';
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
                <Button text={texts.previousFailed} onClick={() => (offset.value -= ROWS)} />
              )}
              {loaded.errors.length === ROWS && (
                <Button text={texts.nextFailed} onClick={() => (offset.value += ROWS)} />
              )}
            </div>
          </>
        )}
      </Query>
    </Panel>
  );
}

function Mend({
  importId,
  of: { columns: header, errors, mapping: used },
}: {
  importId: string;
  of: Issues;
}) {
  // Problems by column were not asked for.
  const columns = header as readonly string[];
  const changed = useSignal<Readonly<Record<number, readonly string[]>>>({});
  const failedAgain = useSignal<Readonly<Record<number, string>>>({});
  const sent = useSignal(sentRows(importId));
  const last = useSignal<Import | null>(null);
  const mapping = useSignal<object | null>(used);
  const act = useAct();
  const open = errors.filter(({ row }) => !sent.value.includes(row));
  const mended = Object.entries(changed.value);
  const sendMended = async () => {
    const csv = csvText([columns, ...mended.map(([, cells]) => cells)]);
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
          <Button text={texts.toMended} onClick={() => setQuery({ import: last.value?.id ?? null })} />
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
          <Button
            text={act.isBusy ? texts.starting : texts.sendMended(mended.length)}
            class="primary"
            disabled={mended.length === 0 || mapping.value === null || act.isBusy}
            onClick={sendMended}
          />
        </div>
      )}
    </>
  );
}

interface MendTableProps {
  columns: readonly string[] | null;
  errors: AnswerOf<'GET /imports/{id}/errors'>['errors'];
  /** The cells of corrected rows, by row. */
  changed: Readonly<Record<number, readonly string[]>>;
  onChange: (row: number, cells: readonly string[]) => void;
}

/** Rows that failed, with a field for each cell and the reason below. */
function MendTable({ columns, errors, changed, onChange }: MendTableProps) {
  return (
    <div class="mend" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.row}</th>
            {columns?.map((column) => (
              <th key={column} scope="col" dir="auto">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        {errors.map(({ row, reason, cells: stored }) => {
          const cells = changed[row] ?? (stored && columns && fitted(stored, columns.length));
          return (
            <tbody key={row} class={changed[row] ? 'is-mended' : undefined}>
              <tr>
                <th scope="row">{row}</th>
                {cells === null || columns === null ? (
                  <td colSpan={columns?.length ?? 1} class="soft">
                    {texts.notStored}
                  </td>
                ) : (
                  columns.map((column, index) => (
                    <td key={column}>
                      <input
                        dir="auto"
                        aria-label={texts.cellOf(column, String(row))}
                        value={cells[index]}
                        onInput={({ currentTarget: { value } }) =>
                          onChange(
                            row,
                            cells.map((cell, at) => (at === index ? value : cell)),
                          )
                        }
                      />
                    </td>
                  ))
                )}
              </tr>
              <tr class="mend-reason">
                <td />
                <td colSpan={columns?.length ?? 1} dir="auto" class="bad">
                  {reason}
                </td>
              </tr>
            </tbody>
          );
        })}
      </table>
    </div>
  );
}

/** As many cells as columns. Those that are too many are in the last one, so that none is lost. */
function fitted(cells: readonly string[], columns: number): string[] {
  const kept = Array.from({ length: columns }, (_, index) => cells[index] ?? '');
  if (cells.length > columns) kept[columns - 1] = cells.slice(columns - 1).join(',');
  return kept;
}
