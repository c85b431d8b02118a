import { Options } from '../../kit/form.tsx';
import { useGet } from '../../kit/useQuery.ts';
import { texts } from './texts.ts';

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
