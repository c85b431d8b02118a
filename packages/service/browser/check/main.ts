import { isTlogProof, ProofFormatError, parseProofText } from '@reliability/proof';
import { fill } from '../../src/domain/fill.js';
import { checkCredential } from './checkCredential.js';
import { checkProof } from './checkProof.js';
import { type Finding, NotCheckable, type Outcome } from './outcome.js';
import { credentialIn, parseJwt, type Service } from './service.js';
import { textsIn } from './texts.js';

/*
 * The page /check: checks a credential, a receipt or the proof of a score in the browser. It loads
 * public documents of the service and sends nothing of what is checked.
 */

/** Some seconds of work, in pieces. A score with 1 000 events has 1.4 MB. */
const MAX_BYTES = 10_000_000;
/** A credential is some kilobytes. */
const MAX_CREDENTIAL = 1_000_000;
/** The page moves so often while it checks. */
const FRAME_MS = 16;

const form = document.querySelector<HTMLFormElement>('#check');
const input = document.querySelector<HTMLTextAreaElement>('#text');
const picker = document.querySelector<HTMLInputElement>('#file');
const result = document.querySelector<HTMLElement>('#result');
if (form && input && picker && result) start(form, input, picker, result);

function start(
  form: HTMLFormElement,
  input: HTMLTextAreaElement,
  picker: HTMLInputElement,
  result: HTMLElement,
): void {
  const texts = textsIn(document.documentElement.lang);
  const { base: baseUrl = '', did = '', log: origin = '' } = form.dataset;
  let last = 0;

  async function check(text: string | File): Promise<void> {
    const run = ++last;
    const progress = element('p', texts.workingStart);
    result.replaceChildren(progress);
    let workingMs = performance.now();
    const pause = (done: number, of: number): Promise<void> | undefined => {
      if (performance.now() - workingMs < FRAME_MS) return undefined;
      progress.textContent = of === 0 ? texts.workingStart : fill(texts.working, { number: done + 1, of });
      return nextTask().then(() => {
        workingMs = performance.now();
      });
    };
    const service: Service = { baseUrl, did, origin, texts, read, pause };
    await nextTask(); // so that the page shows that it works
    const outcome = await outcomeOf(text, service);
    if (run !== last) return;
    result.replaceChildren(...rendered(outcome, service));
    result.focus();
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void check(input.value);
  });
  picker.addEventListener('change', () => {
    const [file] = picker.files ?? [];
    if (file) void check(file);
    // So that the same file can be chosen again.
    picker.value = '';
  });
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    form.classList.add('over');
  });
  document.addEventListener('dragleave', () => form.classList.remove('over'));
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    form.classList.remove('over');
    const [file] = event.dataTransfer?.files ?? [];
    void check(file ?? event.dataTransfer?.getData('text') ?? '');
  });
  form.hidden = false;
  for (const note of document.querySelectorAll<HTMLElement>('.without-script')) note.hidden = true;
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Paths are relative: the page may be shown under another address. */
function read(path: string): Promise<Response> {
  return fetch(path, { cache: 'no-store', credentials: 'omit' });
}

async function outcomeOf(given: string | File, service: Service): Promise<Outcome> {
  const { texts } = service;
  try {
    if ((typeof given === 'string' ? given.length : given.size) > MAX_BYTES)
      throw new NotCheckable(texts.tooLarge);
    const text = (typeof given === 'string' ? given : await given.text()).trim();
    if (text === '') throw new NotCheckable(texts.empty);
    return await checked(text, service);
  } catch (error) {
    const { message, link } =
      error instanceof NotCheckable
        ? error
        : new NotCheckable(isMissing(error) ? texts.noWebCrypto : unreadable(error, texts));
    return {
      title: texts.titles.notChecked,
      ok: null,
      says: [],
      findings: [],
      notes: [message],
      ...(link && { link }),
    };
  }
}

function unreadable(error: unknown, texts: Service['texts']): string {
  return error instanceof ProofFormatError ? `${texts.unreadable} (${error.message})` : texts.unreadable;
}

/** WebCrypto is there in secure contexts alone, and Ed25519 not in every browser. */
function isMissing(error: unknown): boolean {
  return !globalThis.crypto?.subtle || (error instanceof DOMException && error.name === 'NotSupportedError');
}

function checked(text: string, service: Service): Promise<Outcome> {
  const now = new Date();
  if (isTlogProof(`${text}\n`)) return checkProof(`${text}\n`, service, now);
  const jwt = text.length <= MAX_CREDENTIAL ? parseJwt(text.replace(/\s/g, '')) : null;
  if (jwt) return checkCredential(jwt, service, now);
  const parsed = parseProofText(text);
  const inside = typeof parsed === 'string' ? parseJwt(parsed) : credentialIn(parsed);
  return inside ? checkCredential(inside, service, now) : checkProof(text, service, now);
}

function rendered(outcome: Outcome, { texts }: Service): Node[] {
  const { title, ok, says, findings, notes, link } = outcome;
  const heading = element('h2', title);
  heading.className = `verdict ${classOf(ok)}`;
  const list = element('dl');
  list.append(...says.map(([name, value]) => pair(name, value)));
  const checks = element('ul');
  checks.className = 'findings';
  checks.append(...findings.map((finding) => itemOf(finding, texts.marks)));
  const anchor = element('a', link?.text);
  if (link) (anchor as HTMLAnchorElement).href = link.href;
  return [
    heading,
    ...notes.map((note) => element('p', note)),
    ...(link ? [anchor] : []),
    ...(says.length > 0 ? [element('h3', texts.saysHeading), list] : []),
    ...(findings.length > 0 ? [element('h3', texts.findingsHeading), checks] : []),
  ];
}

function itemOf({ question, ok, text }: Finding, marks: Service['texts']['marks']): HTMLElement {
  const item = element('li');
  const mark = element('strong', ok === null ? marks.open : ok ? marks.ok : marks.failed);
  mark.className = classOf(ok);
  const detail = element('small', text);
  item.append(element('span', question), ' ', mark, detail);
  return item;
}

function classOf(ok: boolean | null): string {
  return ok === null ? 'open' : ok ? 'good' : 'bad';
}

function pair(name: string, value: string): HTMLElement {
  const row = element('div');
  row.append(element('dt', name), element('dd', value));
  return row;
}

function element(name: string, text?: string): HTMLElement {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
}
