import type { ComponentChildren } from 'preact';
import { CurlButton } from './CurlButton.tsx';
import type { Call } from './session.ts';

interface PageProps {
  title: ComponentChildren;
  /** The requests of the view, for the curl button. */
  calls?: readonly Call<unknown>[];
  /** Buttons beside the title. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** The frame of a view: its title, what one can do, its content. */
export function Page({ title, calls = [], actions, children }: PageProps) {
  return (
    <>
      <header class="page-head">
        <h1 dir="auto">{title}</h1>
        <div class="actions">
          {actions}
          {calls.length > 0 && <CurlButton calls={calls} />}
        </div>
      </header>
      {children}
    </>
  );
}
