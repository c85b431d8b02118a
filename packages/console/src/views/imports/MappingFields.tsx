import { useMemo } from 'preact/hooks';
import { wordsFor } from '../../kit/enumTexts.ts';
import { Options } from '../../kit/form.tsx';
import { useGet } from '../../kit/Query.tsx';
import { constantsOf, type Rule, valuesToTranslate } from './mapping.ts';
import { texts } from './texts.ts';

interface OutcomeTableProps {
  rule: Rule;
  rows: readonly (readonly string[])[];
  column: number;
  onChange: (rule: Rule) => void;
}

/** Which outcome each text of the column means. */
export function OutcomeTable({ rule, rows, column, onChange }: OutcomeTableProps) {
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
            onChange={(event) => choose(value, event.currentTarget.value)}
          >
            <Options
              of={(constantsOf.eventType ?? []).map(String)}
              textOf={(type) => wordsFor('eventType', type)}
              chosen={rule.table?.[value]}
              none={texts.rowFails}
            />
          </select>
        </div>
      ))}
    </fieldset>
  );
}

interface SavedMappingsProps {
  label: string;
  onChoose: (mapping: object) => void;
}

/** The saved mappings of the platform, the newest hundred. */
export function SavedMappings({ label, onChoose }: SavedMappingsProps) {
  const saved = useGet('GET /ingest/mappings', { query: { limit: 100 } });
  const mappings = saved.data?.mappings ?? [];
  return (
    <label class="saved-mappings">
      {label}
      <select
        disabled={mappings.length === 0}
        onChange={({ currentTarget: { value } }) => {
          const chosen = mappings.find(({ id }) => id === value);
          if (chosen) onChoose(chosen.mapping);
        }}
      >
        <Options
          of={mappings.map(({ id }) => id)}
          textOf={(id) => mappings.find((mapping) => mapping.id === id)?.name ?? id}
          chosen=""
          none={texts.chooseSaved}
        />
      </select>
    </label>
  );
}
