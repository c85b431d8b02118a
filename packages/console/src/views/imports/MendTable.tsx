import type { AnswerOf } from '../../kit/api.ts';
import { texts } from './texts.ts';

interface MendTableProps {
  columns: readonly string[] | null;
  errors: AnswerOf<'GET /imports/{id}/errors'>['errors'];
  /** The cells of corrected rows, by row. */
  changed: Readonly<Record<number, readonly string[]>>;
  onChange: (row: number, cells: readonly string[]) => void;
}

/** Rows that failed, with a field for each cell and the reason below. */
export function MendTable({ columns, errors, changed, onChange }: MendTableProps) {
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
