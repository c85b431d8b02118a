interface ChipsProps<Value extends string> {
  label: string;
  options: readonly { value: Value; text: string; count?: string }[];
  /** Null: none is chosen. */
  chosen: Value | null;
  onChoose: (value: Value | null) => void;
}

/** Choices of which one, or none, holds. A second press takes it back. */
export function Chips<Value extends string>({ label, options, chosen, onChoose }: ChipsProps<Value>) {
  return (
    <fieldset class="chips">
      <legend class="hidden">{label}</legend>
      {options.map(({ value, text, count }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value === chosen ? null : value)}
        >
          {text}
          {count !== undefined && <span class="count">{count}</span>}
        </button>
      ))}
    </fieldset>
  );
}
