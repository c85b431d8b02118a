import { get } from '../../kit/api.ts';
import { t } from '../../kit/texts.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { texts as catalogue } from './texts.ts';

interface SavedMappingsProps {
  label: string;
  onChoose: (mapping: object) => void;
}

/** The saved mappings of the platform, the newest hundred. */
export function SavedMappings({ label, onChoose }: SavedMappingsProps) {
  const texts = t(catalogue);
  const saved = useQuery((signal) => get('GET /ingest/mappings', { query: { limit: 100 } }, signal), []);
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
        <option value="">{texts.chooseSaved}</option>
        {mappings.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
