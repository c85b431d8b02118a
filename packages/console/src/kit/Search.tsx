import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { onKey } from './keys.ts';

interface SearchProps {
  label: string;
  value: string;
  /** Called some moments after the last key. */
  onSearch: (text: string) => void;
}

const PAUSE_MS = 200;

/** The search of a view. `/` moves to it. */
export function Search({ label, value, onSearch }: SearchProps) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLayoutEffect(() => onKey('/', () => input.current?.focus()), []);
  // A search that is still to come must not filter the next view.
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = value;
  }, [value]);
  const search = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(text), PAUSE_MS);
  };
  return (
    <input
      ref={input}
      type="search"
      class="search"
      dir="auto"
      aria-label={label}
      placeholder={label}
      defaultValue={value}
      autocomplete="off"
      maxLength={255}
      spellcheck={false}
      onInput={(event) => search(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
    />
  );
}
