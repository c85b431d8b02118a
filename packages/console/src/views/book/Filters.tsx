import { query, setQuery } from '../../kit/router.ts';
import { t } from '../../kit/texts.ts';
import { texts as catalogue } from './texts.ts';

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
const KINDS = ['PERSON', 'AGENT', 'ORGANIZATION'] as const;
const SORTS = ['score', 'lastActivity', 'registered', 'externalId'] as const;

/** The filters, each in the address. */
export function Filters() {
  const texts = t(catalogue);
  const set = (name: string) => (event: Event) =>
    setQuery({ [name]: (event.currentTarget as HTMLInputElement).value }, { replace: true });
  const value = (name: string) => query.value.get(name) ?? '';
  return (
    <div class="filter-fields">
      {NUMBERS.map((name) => (
        <label key={name}>
          {texts[name]}
          <input
            type="number"
            min={0}
            max={name === 'minVerifiedEvents' ? undefined : 100}
            value={value(name)}
            onChange={set(name)}
          />
        </label>
      ))}
      {DATES.map((name) => (
        <label key={name}>
          {texts[name]}
          <input type="date" value={value(name)} onChange={set(name)} />
        </label>
      ))}
      {FLAGS.map((name) => (
        <label key={name}>
          {texts[name]}
          <select value={value(name)} onChange={set(name)}>
            <option value="">{texts.any}</option>
            <option value="true">{texts.yes}</option>
            <option value="false">{texts.no}</option>
          </select>
        </label>
      ))}
      <label>
        {texts.subjectType}
        <select value={value('subjectType')} onChange={set('subjectType')}>
          <option value="">{texts.any}</option>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {texts[kind]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.sort}
        <select value={value('sort') || 'score'} onChange={set('sort')}>
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {texts[sort]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.order}
        <select value={value('order')} onChange={set('order')}>
          <option value="">–</option>
          <option value="asc">{texts.asc}</option>
          <option value="desc">{texts.desc}</option>
        </select>
      </label>
    </div>
  );
}
