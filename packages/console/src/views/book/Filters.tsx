import { valuesOf, wordsFor } from '../../kit/enumTexts.ts';
import { Field, Select } from '../../kit/form.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { texts } from './texts.ts';

/** Every filter of GET /users but the search and the band, which have their own place. */
export const filterNames = [
  'scoreMin',
  'scoreMax',
  'hasScore',
  'scoreFrozen',
  'subjectType',
  'activeSince',
  'registeredSince',
  'registeredBefore',
  'hasVerifiedEvents',
  'minVerifiedEvents',
] as const;
type FilterName = (typeof filterNames)[number];

const NUMBERS: readonly FilterName[] = ['scoreMin', 'scoreMax', 'minVerifiedEvents'];
const DATES: readonly FilterName[] = ['activeSince', 'registeredSince', 'registeredBefore'];
const FLAGS: readonly FilterName[] = ['hasScore', 'scoreFrozen', 'hasVerifiedEvents'];
const SORTS = ['score', 'lastActivity', 'registered', 'externalId'] as const;

/** The filters, each in the address. */
export function Filters() {
  const set = (name: string) => (value: string) => setQuery({ [name]: value }, { replace: true });
  const field = (name: FilterName) => ({
    label: texts[name],
    value: value(name),
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => set(name)(currentTarget.value),
  });
  const value = (name: string) => query.value.get(name) ?? '';
  return (
    <div class="filter-fields">
      {NUMBERS.map((name) => (
        <Field
          key={name}
          {...field(name)}
          type="number"
          min={0}
          max={name === 'minVerifiedEvents' ? undefined : 100}
        />
      ))}
      {DATES.map((name) => (
        <Field key={name} {...field(name)} type="date" />
      ))}
      {FLAGS.map((name) => (
        <Select
          key={name}
          label={texts[name]}
          of={['true', 'false']}
          textOf={(flag) => (flag === 'true' ? texts.yes : texts.no)}
          none={texts.any}
          chosen={value(name)}
          onChoose={set(name)}
        />
      ))}
      <Select
        label={texts.subjectType}
        of={valuesOf('subjectType')}
        textOf={(kind) => wordsFor('subjectType', kind)}
        none={texts.any}
        chosen={value('subjectType')}
        onChoose={set('subjectType')}
      />
      <Select
        label={texts.sort}
        of={SORTS}
        textOf={(sort) => texts[sort]}
        chosen={value('sort') || 'score'}
        onChoose={set('sort')}
      />
      <Select
        label={texts.order}
        of={['asc', 'desc']}
        textOf={(order) => texts[order]}
        none="–"
        chosen={value('order')}
        onChoose={set('order')}
      />
    </div>
  );
}
