const STORED = 'docs-language';

/** Shows one language of each example at a time: the same on all pages. */
export function makeTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.tabs')].map(makeTabList);
  const show = (language: string) => {
    for (const group of groups) group.show(language);
  };
  for (const group of groups) group.onChoice = (language) => choose(language, show);
  const stored = read();
  if (stored !== null) show(stored);
}

interface TabGroup {
  onChoice: (language: string) => void;
  /** Does nothing if the example does not have the language. */
  show(language: string): void;
}

let count = 0;

function makeTabList(container: HTMLElement): TabGroup {
  const figures = [...container.querySelectorAll<HTMLElement>(':scope > figure')];
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language of the example');
  const tabs = figures.map((figure) => {
    count += 1;
    // A figure with a caption may not be a panel.
    const panel = figure.querySelector('pre') ?? figure;
    panel.id = `example-${count}`;
    panel.setAttribute('role', 'tabpanel');
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.id = `${panel.id}-tab`;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', panel.id);
    tab.textContent = figure.querySelector('figcaption')?.textContent ?? '';
    panel.setAttribute('aria-labelledby', tab.id);
    return tab;
  });
  const group: TabGroup = {
    onChoice: () => {},
    show(language) {
      const chosen = figures.findIndex((figure) => figure.dataset.language === language);
      if (chosen === -1) return;
      figures.forEach((figure, index) => {
        figure.classList.toggle('shown', index === chosen);
        tabs[index]?.setAttribute('aria-selected', String(index === chosen));
        if (tabs[index]) tabs[index].tabIndex = index === chosen ? 0 : -1;
      });
    },
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener('click', () => group.onChoice(figures[index]?.dataset.language ?? ''));
  });
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const index = tabs.indexOf(event.target as HTMLButtonElement);
    if (step === undefined || index === -1) return;
    event.preventDefault();
    const next = tabs[(index + step + tabs.length) % tabs.length];
    next?.click();
    next?.focus();
  });
  list.append(...tabs);
  container.prepend(list);
  container.classList.add('ready');
  group.show(figures[0]?.dataset.language ?? '');
  return group;
}

/** The chosen example stays where it is on the screen while those above it change their height. */
function choose(language: string, show: (language: string) => void): void {
  const { activeElement } = document;
  const before = activeElement?.getBoundingClientRect().top ?? 0;
  show(language);
  const after = activeElement?.getBoundingClientRect().top ?? 0;
  scrollBy(0, after - before);
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // Storage may be forbidden. The choice then holds for this page.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}
