import type { TestService } from '#harness/service.js';
import { asConsole } from '../../console/consoleFixtures.js';

/** Keeps cookies and follows redirects, as a browser does that loads no scripts. */
export function newBrowser() {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  /** Every address on the way, the last one first. */
  async function go(address: string, form?: Record<string, string>) {
    const way: string[] = [];
    let url = address;
    let body = form && new URLSearchParams(form);
    for (;;) {
      way.unshift(url);
      const answer = await fetch(url, {
        method: body ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { Cookie: cookies() },
        ...(body && { body }),
      });
      keep(answer);
      const next = answer.headers.get('location');
      const text = await answer.text();
      if (next === null || way.length > 20) return { url, way, status: answer.status, text };
      url = new URL(next, url).href;
      body = undefined;
    }
  }
  function keep(answer: Response): void {
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      const isGone = value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(cookie);
      if (isGone) jar.delete(name);
      else jar.set(name, value);
    }
  }
  return { jar, go, cookies };
}

/** As the person with this name at the issuer. @returns where the browser ends up. */
export async function signInThrough(
  service: Pick<TestService, 'url'>,
  name: string,
  { to = '/', browser = newBrowser() } = {},
) {
  let page = await browser.go(`${service.url}/console/sign-in?to=${encodeURIComponent(to)}`);
  for (const prompt of ['login', 'consent']) {
    const action = /action="([^"]*\/interaction\/[^"]+)"/.exec(page.text)?.[1];
    if (action === undefined || !page.text.includes(`value="${prompt}"`)) continue;
    page = await browser.go(new URL(action, page.url).href, { prompt, login: name, password: 'any' });
  }
  return { ...page, browser, cookie: browser.cookies() };
}

/** Why the sign-in page says that nobody was signed in. */
export function failureIn({ url }: { url: string }): string | undefined {
  return /#sign-in-failed=(\w+)$/.exec(url)?.[1];
}

export async function statusAs(
  service: Pick<TestService, 'url'>,
  cookie: string,
  path = '/users',
): Promise<number> {
  return (await asConsole(service.url, cookie, path)).status;
}

/** POST /platform/users. */
export async function added(service: TestService, email: string, role: string, key = service.liveKey) {
  const answer = await service.request('POST', '/platform/users', { key, body: { email, role } });
  if (answer.status !== 201) throw new Error(`the user was not added: ${answer.text}`);
  return answer.body as { id: string; email: string; role: string };
}
