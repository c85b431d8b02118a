import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { get } from './kit/api.ts';
import { Dialog } from './kit/Dialog.tsx';
import { kitTexts as texts } from './kit/kitTexts.ts';
import { useQuery } from './kit/Query.tsx';
import { navigate, pathTo } from './kit/router.ts';
import { may } from './kit/session.ts';
import { audience, openViews } from './openViews.ts';
import { titleOf } from './views/index.ts';

interface Entry {
  text: string;
  /** Beside a name. */
  id?: string;
  to: string;
}

/** Goes to any view or subject: ⌘K or Ctrl K. */
export function Palette({ onClose }: { onClose: () => void }) {
  const typed = useSignal('');
  const chosen = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const text = typed.value.trim();
  const isSearch = text !== '' && audience() === 'key' && may('scores', 'read');
  const subjects = useQuery(async (signal) => ({ text, found: await subjectsFrom(text, signal) }), [text], {
    isEnabled: isSearch,
  });
  const isSearching = isSearch && subjects.isLoading;
  const found = isSearch && subjects.data?.text === text ? subjects.data.found : [];
  const entries = entriesFor(text, found);
  // An Enter during the search opens what it finds.
  const isAwaited = useSignal(false);
  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    navigate(entry.to);
  };
  useEffect(() => {
    list.current?.children[chosen.value]?.scrollIntoView({ block: 'nearest' });
  }, [chosen.value]);
  useEffect(() => {
    if (isSearching || !isAwaited.value) return;
    isAwaited.value = false;
    open(entries[chosen.value]);
  }, [isSearching, isAwaited.value]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      chosen.value = Math.max(0, Math.min(entries.length - 1, chosen.value + step));
    }
    if (event.key === 'Enter') isAwaited.value = true;
  };
  return (
    <Dialog title={texts.searchLabel} onClose={onClose} class="palette">
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries.length > 0 ? `palette-${chosen.value}` : undefined}
        aria-label={texts.searchHint}
        placeholder={texts.searchHint}
        dir="auto"
        autocomplete="off"
        maxLength={255}
        spellcheck={false}
        autofocus
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          chosen.value = 0;
          isAwaited.value = false;
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" ref={list} aria-label={texts.navigation}>
        {entries.map((entry, index) => (
          <div
            key={entry.to}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen.value}
            onClick={() => open(entry)}
            dir="auto"
          >
            {entry.text} {entry.id !== undefined && <code class="soft">{entry.id}</code>}
          </div>
        ))}
      </div>
      {isSearching ? (
        <p class="soft">{texts.searching}</p>
      ) : (
        entries.length === 0 && <p class="soft">{texts.nothingFound}</p>
      )}
    </Dialog>
  );
}

/** Long enough that a person types the next letter. */
const PAUSE_MS = 150;
const FOUND = 8;

interface Found {
  externalId: string;
  displayName: string | null;
}

/** The first subjects whose name or id has the text. */
async function subjectsFrom(text: string, signal: AbortSignal): Promise<readonly Found[]> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  signal.throwIfAborted();
  const query = { q: text, sort: 'externalId', limit: FOUND };
  const { users } = await get('GET /users', { query }, signal);
  return users;
}

/** Views whose title has the text, subjects that were found, then the book and the subject of that id. */
function entriesFor(text: string, found: readonly Found[]): Entry[] {
  const wanted = text.toLowerCase();
  const ofViews = openViews()
    .map((view) => ({ text: titleOf(view), to: view.path }))
    .filter((entry) => entry.text.toLowerCase().includes(wanted));
  if (text === '' || audience() !== 'key') return ofViews;
  const ofSubject = ({ externalId: id, displayName }: Found) => ({
    text: texts.openSubject(displayName ?? id),
    ...(displayName !== null && { id }),
    to: pathTo(SUBJECT, { id }),
  });
  return [
    ...ofViews,
    ...found.map(ofSubject),
    { text: texts.searchBook(text), to: `/book?q=${encodeURIComponent(text)}` },
    // It can be opened before its first outcome is reported.
    ...(found.some(({ externalId }) => externalId === text)
      ? []
      : [ofSubject({ externalId: text, displayName: null })]),
  ];
}

const SUBJECT = '/subject/{id}';
