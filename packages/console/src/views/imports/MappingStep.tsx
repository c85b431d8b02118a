import { useSignal } from '@preact/signals';
import { requestOf, send } from '../../kit/api.ts';
import { failureFrom } from '../../kit/apiFailure.ts';
import { t } from '../../kit/texts.ts';
import { toast } from '../../kit/toast.tsx';
import {
  type Constant,
  constantsOf,
  type Field,
  fields,
  isComplete,
  type Mapping,
  type Rule,
  requiredFields,
  ruleFor,
  transformsOf,
  verifiesNothing,
} from './mapping.ts';
import { OutcomeTable } from './OutcomeTable.tsx';
import { SavedMappings } from './SavedMappings.tsx';
import { texts as catalogue } from './texts.ts';

interface MappingStepProps {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}

const COLUMN_TYPE = 'text/x-column';
/** Before the value of an option, so that no column has the name of a constant. */
const CONSTANT = '=';
const PATH = ':';

/** A row for each field: the column that it comes from, by choosing or by dragging. */
export function MappingStep({ columns, rows, mapping, onChange }: MappingStepProps) {
  const texts = t(catalogue);
  const over = useSignal<Field | null>(null);
  const name = useSignal('');
  const set = (field: Field, rule: Rule | undefined) => {
    const { [field]: _, ...others } = mapping;
    onChange(rule ? { ...others, [field]: rule } : others);
  };
  const save = async () => {
    try {
      await send(requestOf('POST /ingest/mappings', { body: { name: name.value, mapping } }));
      toast(texts.savedNow);
    } catch (error) {
      toast(failureFrom(error).message);
    }
  };
  const outcome = mapping.eventType;
  const textOf = (constant: Constant) => texts.always(constant === true ? texts.yes : String(constant));
  return (
    <section class="panel">
      <h2>{texts.mapping}</h2>
      <p class="soft">{texts.mappingHow}</p>
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
          const chosen =
            rule?.constant !== undefined
              ? CONSTANT + rule.constant
              : rule?.path !== undefined
                ? PATH + rule.path
                : '';
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
                if (column) set(field, ruleFor(field, column));
              }}
            >
              <span class="mapping-field">
                {texts[field]}{' '}
                {requiredFields.includes(field) && <small class="soft">{texts.required}</small>}
                <code class="soft">{field}</code>
              </span>
              <select
                aria-label={`${texts.source}: ${texts[field]}`}
                value={chosen}
                onChange={({ currentTarget: { value } }) => {
                  if (value === '') set(field, undefined);
                  else if (value.startsWith(CONSTANT))
                    set(field, {
                      constant: constantsOf[field]?.find((each) => CONSTANT + each === value) ?? '',
                    });
                  else set(field, ruleFor(field, value.slice(1)));
                }}
              >
                <option value="">{texts.noSource}</option>
                {columns.map((column) => (
                  <option key={column} value={PATH + column}>
                    {column}
                  </option>
                ))}
                {constantsOf[field]?.map((value) => (
                  <option key={String(value)} value={CONSTANT + value}>
                    {textOf(value)}
                  </option>
                ))}
              </select>
              <select
                aria-label={`${texts.transform}: ${texts[field]}`}
                value={rule?.transform ?? ''}
                disabled={rule?.path === undefined || rule.table !== undefined}
                onChange={({ currentTarget: { value } }) => {
                  const { transform: _, ...plain } = rule ?? {};
                  set(field, value === '' ? plain : { ...plain, transform: value });
                }}
              >
                <option value="">{texts.asIs}</option>
                {transformsOf[field].map((transform) => (
                  <option key={transform} value={transform}>
                    {texts[transform as 'trim']}
                  </option>
                ))}
              </select>
            </div>
          );
        })}
      </div>
      {verifiesNothing(mapping) && (
        <div class="note import-hint" role="status">
          <p class="warn">{texts.verifiesNothing}</p>
          <button type="button" onClick={() => set('isVerified', { constant: true })}>
            {texts.verifyAll}
          </button>
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
        <form
          class="filters"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <label>
            {texts.saveAs}
            <input
              dir="auto"
              maxLength={255}
              required
              value={name.value}
              onInput={(event) => (name.value = event.currentTarget.value)}
            />
          </label>
          <button type="submit">{texts.save}</button>
        </form>
      )}
    </section>
  );
}
