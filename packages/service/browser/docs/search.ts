import MiniSearch, { type SearchResult } from 'minisearch';

/** As `/docs/search.json` has it. */
interface Findable {
  url: string;
  page: string;
  title: string;
  text: string;
}

const MAX_RESULTS = 12;
const EXCERPT_LENGTH = 140;
/** Pages that few readers look for: guides and operations of a platform come first. */
const BACKGROUND = /^docs\/(rules|adversaries|benchmarks|reference\/operator)\b/;

/** The search of the pages. Its index is loaded when somebody is about to search. */
export function makeSearch(root: string): void {
  const box = document.querySelector<HTMLElement>('.search');
  const input = box?.querySelector('input');
  const list = box?.querySelector('ul');
  const status = box?.querySelector('.found');
  if (!box || !input || !list || !status) return;
  let index: Promise<MiniSearch<Findable>> | undefined;
  const load = () => {
    index ??= loadIndex(`${root}docs/search.json`).catch((error: unknown) => {
      index = undefined;
      throw error;
    });
    return index;
  };

  async function search(): Promise<void> {
    const words = input?.value.trim() ?? '';
    if (words === '') return close();
    const results = await load().then(
      (loaded) => find(loaded, words),
      () => null,
    );
    // A later letter has its own search.
    if (words !== input?.value.trim() || !list || !status) return;
    if (results === null) status.textContent = 'The index could not be loaded. Try again.';
    else if (results.length === 0) status.textContent = `Nothing found for “${words}”.`;
    else status.textContent = `${results.length} results`;
    status.classList.toggle('shown', !results?.length);
    list.replaceChildren(...(results ?? []).map((result) => entryOf(result, root)));
    list.hidden = list.childElementCount === 0;
  }

  function close(): void {
    list?.replaceChildren();
    if (list) list.hidden = true;
    if (status) status.textContent = '';
    status?.classList.remove('shown');
  }

  box.hidden = false;
  input.addEventListener('focus', () => void load().catch(() => {}));
  input.addEventListener('input', () => void search());
  box.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const here = links.indexOf(document.activeElement as HTMLAnchorElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') {
      close();
      input.value = '';
      input.focus();
    } else if (event.key === 'Enter' && document.activeElement === input) links[0]?.click();
    else if (step !== undefined && links.length > 0) {
      event.preventDefault();
      (links[here + step] ?? input).focus();
    }
  });
  box.addEventListener('focusout', (event) => {
    if (!box.contains(event.relatedTarget as Node | null)) close();
  });
  list.addEventListener('click', () => setTimeout(close));
  document.addEventListener('keydown', (event) => {
    const { target } = event;
    if (event.key !== '/' || (target instanceof HTMLElement && target.matches('input, textarea, select')))
      return;
    event.preventDefault();
    input.focus();
  });
}

async function loadIndex(address: string): Promise<MiniSearch<Findable>> {
  const answer = await fetch(address, { credentials: 'omit' });
  if (!answer.ok) throw new Error(`The index answered ${answer.status}`);
  const index = new MiniSearch<Findable>({
    idField: 'url',
    fields: ['title', 'page', 'text'],
    storeFields: ['url', 'page', 'title', 'text'],
    searchOptions: {
      boost: { title: 5, page: 2 },
      boostDocument: (url) => (BACKGROUND.test(url) ? 0.5 : 1),
      prefix: (word) => word.length > 2,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(await answer.json());
  return index;
}

/** Sections that have all words; if there are none, sections that have some. */
function find(index: MiniSearch<Findable>, words: string): SearchResult[] {
  const all = index.search(words, { combineWith: 'AND' });
  return (all.length > 0 ? all : index.search(words)).slice(0, MAX_RESULTS);
}

function entryOf({ url, page, title, text, terms }: SearchResult, root: string): HTMLLIElement {
  const entry = document.createElement('li');
  const link = document.createElement('a');
  link.href = root + url;
  const name = document.createElement('strong');
  name.textContent = title;
  const place = document.createElement('small');
  place.textContent = title === page ? '' : page;
  const excerpt = document.createElement('span');
  excerpt.append(...excerptOf(text, terms));
  link.append(name, place, excerpt);
  entry.append(link);
  return entry;
}

/** The text around the first word that was found, with the word marked. */
function excerptOf(text: string, terms: readonly string[]): (string | HTMLElement)[] {
  const lower = text.toLowerCase();
  const places = terms.map((term) => ({ term, at: lower.indexOf(term) })).filter(({ at }) => at !== -1);
  const [first] = places.sort((a, b) => a.at - b.at);
  if (!first) return [text.slice(0, EXCERPT_LENGTH)];
  const start = Math.max(0, text.lastIndexOf(' ', Math.max(0, first.at - EXCERPT_LENGTH / 3)));
  const end = first.at + first.term.length;
  const mark = document.createElement('mark');
  mark.textContent = text.slice(first.at, end);
  return [
    (start > 0 ? '… ' : '') + text.slice(start, first.at).trimStart(),
    mark,
    text.slice(end, start + EXCERPT_LENGTH),
  ];
}
