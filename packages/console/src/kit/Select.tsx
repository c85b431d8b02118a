interface SelectProps {
  name: string;
  label: string;
  options: readonly string[];
  chosen: string;
  /** Below the field. */
  hint?: string;
}

/** A labelled choice of one value of a form. */
export function Select({ name, label, options, chosen, hint }: SelectProps) {
  return (
    <label>
      {label}
      <select name={name}>
        {options.map((option) => (
          <option key={option} value={option} selected={option === chosen}>
            {option}
          </option>
        ))}
      </select>
      {hint !== undefined && <small class="soft">{hint}</small>}
    </label>
  );
}
