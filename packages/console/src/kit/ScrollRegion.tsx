import type { ComponentChildren } from 'preact';

interface ScrollRegionProps {
  /** Named for screen readers. */
  label: string;
  children: ComponentChildren;
}

/** What is wider than the screen scrolls by itself, also by keyboard. */
export function ScrollRegion({ label, children }: ScrollRegionProps) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}
