import type { ComponentChildren } from 'preact';

/** A name and a value of a `dl.pairs`. The value may be stored text. */
export function Pair({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}
