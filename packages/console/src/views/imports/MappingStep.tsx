import { useSignal } from '@preact/signals';
import { requestOf, send } from '../../kit/api.ts';
import { failureFrom } from '../../kit/apiFailure.ts';
import { Button } from '../../kit/Button.tsx';
import { wordsFor } from '../../kit/enumTexts.ts';
import { Field, Given, Options } from '../../kit/form.tsx';
import { Panel } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { OutcomeTable, SavedMappings } from './MappingFields.tsx';
import {
  type Chosen,
  type ColumnFormats,
  constantsOf,
  fields,
  isComplete,
  type MappedField,
  type Mapping,
  type Rule,
  requiredFields,
  ruleFor,
  transformsOf,
  verifiesNothing,
} from './mapping.ts';
import { texts } from './texts.ts';

interface MappingStepProps {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  mapping: Mapping;
  formats: ColumnFormats;
  chosen: Chosen;
  onChange: (mapping: Mapping) => void;
}

const COLUMN_TYPE = 'text/x-column';
/** Before the value of an option, so that no column has the name of a constant. */
const CONSTANT = '=';
const PATH = ':';

/** A row for each field: the column that it comes from, by choosing or by dragging. */
export function MappingStep({
  columns,
  rows,
  mapping,
  formats,
  chosen: choices,
  onChange,
}: MappingStepProps) {
  const over = useSignal<MappedField | null>(null);
  const ruleOf = (field: MappedField, column: string) => ruleFor(field, column, formats, choices);
  const set = (field: MappedField, rule: Rule | undefined) => {
    const { [field]: _, ...others } = mapping;
    onChange(rule ? { ...others, [field]: rule } : others);
  };
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const name = new Given(event.currentTarget as HTMLFormElement).text('name');
    try {
      await send(requestOf('POST /ingest/mappings', { body: { name, mapping } }));
      toast(texts.savedNow);
    } catch (error) {
      toast(failureFrom(error).message);
    }
  };
  const outcome = mapping.eventType;
  return (
    <Panel title={texts.mapping} lead={texts.mappingHow}>
      <ul class="column-chips" aria-label={texts.columns}>
        {columns.map((column) => (
          <li
            key={column}
            draggable
            dir="auto"
            onDragStart={(event) => event.dataTransfer?.setData(COLUMN_TYPE, column)}
          >
            {column}
          </li>
        ))}
      </ul>
      <div class="filters">
        <SavedMappings label={texts.saved} onChoose={(saved) => onChange(saved as Mapping)} />
      </div>
      <div class="mapping">
        {fields.map((field) => {
          const rule = mapping[field];
          const chosen = rule?.constant === undefined ? PATH + rule?.path : CONSTANT + rule.constant;
          return (
            <div
              key={field}
              class={`mapping-row ${over.value === field ? 'is-over' : ''}`}
              role="group"
              aria-label={texts[field]}
              data-field={field}
              onDragOver={(event) => {
                if (!event.dataTransfer?.types.includes(COLUMN_TYPE)) return;
                event.preventDefault();
                over.value = field;
              }}
              onDragLeave={() => (over.value = null)}
              onDrop={(event) => {
                event.preventDefault();
                over.value = null;
                const column = event.dataTransfer?.getData(COLUMN_TYPE);
                if (column) set(field, ruleOf(field, column));
              }}
            >
              <span class="mapping-field">
                {texts[field]}{' '}
                {requiredFields.includes(field) && <small class="soft">{texts.required}</small>}
                <code class="soft">{field}</code>
              </span>
              <select
                aria-label={`${texts.source}: ${texts[field]}`}
                onChange={({ currentTarget: { value } }) => {
                  const constant = constantsOf[field]?.find((each) => CONSTANT + each === value);
                  if (constant !== undefined) set(field, { constant });
                  else set(field, value === '' ? undefined : ruleOf(field, value.slice(1)));
                }}
              >
                <Options
                  of={columns.map((column) => PATH + column)}
                  textOf={(value) => value.slice(1)}
                  chosen={chosen}
                  none={texts.noSource}
                />
                <Options
                  of={(constantsOf[field] ?? []).map((constant) => CONSTANT + constant)}
                  textOf={(value) => texts.always(wordsOf(field, value.slice(1)))}
                  chosen={chosen}
                />
              </select>
              <select
                aria-label={`${texts.transform}: ${texts[field]}`}
                disabled={rule?.path === undefined || rule.table !== undefined}
                onChange={({ currentTarget: { value } }) => {
                  const { transform: _, ...plain } = rule ?? {};
                  set(field, value === '' ? plain : { ...plain, transform: value });
                }}
              >
                <Options
                  of={transformsOf[field]}
                  textOf={(transform) => texts[transform as 'trim']}
                  chosen={rule?.transform}
                  none={texts.asIs}
                />
              </select>
            </div>
          );
        })}
      </div>
      {verifiesNothing(mapping) && (
        <div class="note import-hint" role="status">
          <p class="warn">{texts.verifiesNothing}</p>
          <Button text={texts.verifyAll} onClick={() => set('isVerified', { constant: true })} />
        </div>
      )}
      {mapping.idempotencyKey === undefined && <p class="soft import-hint">{texts.keyHint}</p>}
      {outcome?.path !== undefined && (
        <OutcomeTable
          rule={outcome}
          rows={rows}
          column={columns.indexOf(outcome.path)}
          onChange={(rule) => set('eventType', rule)}
        />
      )}
      {isComplete(mapping) && (
        <form class="filters" onSubmit={save}>
          <Field name="name" label={texts.saveAs} maxLength={255} required />
          <button type="submit">{texts.save}</button>
        </form>
      )}
    </Panel>
  );
}

/** A value that holds for every row, in words. */
function wordsOf(field: MappedField, constant: string): string {
  if (field === 'isVerified') return texts.yes;
  return wordsFor(field === 'stakeLevel' ? 'stakeLevel' : 'eventType', constant);
}
