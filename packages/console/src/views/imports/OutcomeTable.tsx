import { useMemo } from 'preact/hooks';
import { t } from '../../kit/texts.ts';
import { constantsOf, type Rule, valuesToTranslate } from './mapping.ts';
import { texts as catalogue } from './texts.ts';

interface OutcomeTableProps {
  rule: Rule;
  rows: readonly (readonly string[])[];
  column: number;
  onChange: (rule: Rule) => void;
}

/** Which outcome each text of the column means. */
export function OutcomeTable({ rule, rows, column, onChange }: OutcomeTableProps) {
  const texts = t(catalogue);
  const found = useMemo(() => valuesToTranslate(rows, column), [rows, column]);
  const values = [...new Set([...Object.keys(rule.table ?? {}), ...found])];
  if (values.length === 0) return null;
  const choose = (value: string, meaning: string) => {
    const { [value]: _, ...others } = rule.table ?? {};
    const table = meaning === '' ? others : { ...others, [value]: meaning };
    const { path = '' } = rule;
    onChange(Object.keys(table).length === 0 ? { path } : { path, table });
  };
  return (
    <fieldset class="mapping outcome-table">
      <legend>{texts.meaning}</legend>
      {values.map((value) => (
        <div key={value} class="mapping-row">
          <span dir="auto">{value}</span>
          <select
            aria-label={texts.meaningOf(value)}
            value={rule.table?.[value] ?? ''}
            onChange={(event) => choose(value, event.currentTarget.value)}
          >
            <option value="">{texts.rowFails}</option>
            {constantsOf.eventType?.map((type) => (
              <option key={String(type)} value={String(type)}>
                {type}
              </option>
            ))}
          </select>
        </div>
      ))}
    </fieldset>
  );
}
