import { computed, type ReadonlySignal, signal } from '@preact/signals';

const BASE = '/console';

const location = signal(readLocation());
addEventListener('popstate', () => {
  location.value = readLocation();
});

function readLocation(): { path: string; query: string } {
  const { pathname, search } = window.location;
  return { path: pathname.slice(BASE.length).replace(/(?<!\/)\/+$/, '') || '/', query: search };
}

/** The path within the console, with a leading slash. */
export const path: ReadonlySignal<string> = computed(() => location.value.path);
/** The filters of the view: every view keeps its own in the address, so that a link shows the same. */
export const query: ReadonlySignal<URLSearchParams> = computed(
  () => new URLSearchParams(location.value.query),
);

export interface NavigateOptions {
  /** Replaces the entry of the history: for filters that change while one types. */
  replace?: boolean;
}

/** @param to a path within the console: `/subject/worker-1`, `/book?band=Good`. */
export function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  const address = hrefOf(to);
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  const pathBefore = location.peek().path;
  location.value = readLocation();
  if (location.peek().path === pathBefore) return;
  scrollTo(0, 0);
  onLeft();
}

/** Called after another view was opened, to move the focus there. */
let onLeft: () => void = () => {};
export function whenNavigated(handler: () => void): void {
  onLeft = handler;
}

/** Sets or removes filters of the view that is open. Null and '' remove. */
export function setQuery(changes: Record<string, string | null>, options: NavigateOptions = {}): void {
  const next = new URLSearchParams(query.peek());
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  navigate(path.peek() + (text ? `?${text}` : ''), options);
}

/** The address for a link, so that it opens in a new tab, too. */
export function hrefOf(to: string): string {
  return BASE + to.replace(/^\/(?=\?|$)/, '');
}

/** The values of `{name}` in the pattern; null if the path is not of it. `/subject/{id}` */
export function matchPath(pattern: string, given: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const parts = given.split('/');
  if (wanted.length !== parts.length) return null;
  const values: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const part = parts[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined && segment !== part) return null;
    if (name !== undefined) values[name] = decoded(part);
  }
  return values;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** `/subject/{id}` with its values in place. */
export function pathTo(pattern: string, values: Record<string, string>): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
