/** Keys of the whole console. Each part adds its own while it is in the page. */
type Handler = (event: KeyboardEvent) => void;

const handlers = new Map<string, Handler>();
let isAfterG = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** @param key as in KeyboardEvent.key, or `g x` for two keys one after the other. @returns what removes it. */
export function onKey(key: string, handler: Handler): () => void {
  handlers.set(key, handler);
  return () => {
    if (handlers.get(key) === handler) handlers.delete(key);
  };
}

addEventListener('keydown', (event) => {
  if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k') {
    run('mod k', event);
    return;
  }
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || isTyping(event.target))
    return;
  if (isAfterG) {
    isAfterG = false;
    run(`g ${event.key}`, event);
    return;
  }
  if (event.key === 'g') {
    isAfterG = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      isAfterG = false;
    }, 1500);
    return;
  }
  run(event.key, event);
});

function run(key: string, event: KeyboardEvent): void {
  const handler = handlers.get(key);
  if (!handler) return;
  event.preventDefault();
  handler(event);
}

/** Where letters belong to the element. A slider and a check box take none: the keys of the console go on working there. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.closest('dialog') !== null ||
      target.isContentEditable ||
      target.matches('textarea, select, input:not([type="range"], [type="checkbox"], [type="radio"])'))
  );
}
