import { session, viewing } from './kit/session.ts';
import { views } from './views/index.ts';
import type { View } from './views/view.ts';

/** Whether the views of a platform's data are open, or those of the operator. */
export function audience(): View['for'] {
  return session.value?.kind === 'operator' && viewing.value === null ? 'operator' : 'key';
}

/** The views that the session can open from the navigation. */
export function openViews(): readonly View[] {
  return views.filter((view) => view.for === audience() && view.key !== undefined);
}
