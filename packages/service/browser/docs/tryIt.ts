const TEST_KEY = /^crd_test_\S+$/;
const MAX_SHOWN = 50_000;

/** The forms that send a request from the page. The key is in the fields alone: nothing stores it (RULES Y9). */
export function makeTryForms(root: string): void {
  const keys = document.querySelectorAll<HTMLInputElement>('.try [data-in="key"]');
  for (const input of keys)
    input.addEventListener('change', () => {
      for (const other of keys) other.value = input.value;
    });
  for (const details of document.querySelectorAll<HTMLElement>('.try')) {
    const form = details.querySelector('form');
    const result = details.querySelector<HTMLElement>('.result');
    if (!form || !result) continue;
    details.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(form, result, root);
    });
  }
}

async function send(form: HTMLFormElement, result: HTMLElement, root: string): Promise<void> {
  const key = fields(form, 'key')[0];
  if (key && !TEST_KEY.test(key.value.trim())) {
    if (key.value.trim() !== '') key.value = '';
    show(result, 'Nothing was sent. Enter a test key: it starts with crd_test_. Live keys are refused here.');
    key.focus();
    return;
  }
  const button = form.querySelector('button');
  if (button) button.disabled = true;
  const began = performance.now();
  try {
    const answer = await fetch(root + addressOf(form), {
      method: form.dataset.method ?? 'GET',
      headers: headersOf(form, key?.value.trim()),
      body: bodyOf(form)?.value ?? null,
      credentials: 'omit',
      cache: 'no-store',
    });
    const text = await answer.text();
    const spent = Math.round(performance.now() - began);
    show(result, `${answer.status} ${answer.statusText} in ${spent} ms`, readable(text));
  } catch (error) {
    show(result, `The request failed: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    if (button) button.disabled = false;
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement;

function fields(form: HTMLFormElement, place: string): Field[] {
  return [...form.querySelectorAll<Field>(`[data-in="${place}"]`)];
}

function addressOf(form: HTMLFormElement): string {
  const values = new Map(fields(form, 'path').map(({ dataset, value }) => [dataset.name, value]));
  const path = (form.dataset.path ?? '').replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(values.get(name) ?? ''),
  );
  const query = new URLSearchParams();
  for (const { dataset, value } of fields(form, 'query'))
    if (value !== '') query.append(dataset.name ?? '', value);
  return path.slice(1) + (query.size === 0 ? '' : `?${query}`);
}

function headersOf(form: HTMLFormElement, key: string | undefined): Headers {
  const headers = new Headers();
  for (const { dataset, value } of fields(form, 'header'))
    if (value !== '') headers.set(dataset.name ?? '', value);
  const { type } = bodyOf(form)?.dataset ?? {};
  if (type) headers.set('Content-Type', type);
  if (key) headers.set('Authorization', `Bearer ${key}`);
  return headers;
}

function bodyOf(form: HTMLFormElement): Field | undefined {
  return fields(form, 'body')[0];
}

function readable(text: string): string {
  const shown = (() => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  })();
  return shown.length <= MAX_SHOWN ? shown : `${shown.slice(0, MAX_SHOWN)}\n… ${shown.length} characters`;
}

function show(result: HTMLElement, line: string, body = ''): void {
  const first = document.createElement('p');
  first.textContent = line;
  result.replaceChildren(first);
  if (body === '') return;
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  pre.textContent = body;
  result.append(pre);
}
