import type { TestService } from '#harness/service.js';

/** Headers of the console's own requests. */
export const FROM_CONSOLE = { 'Sec-Fetch-Site': 'same-origin', 'X-Console': '1' };

/** Signs in and returns the cookie as a browser sends it. */
export async function signedIn({ url }: Pick<TestService, 'url'>, secret: string): Promise<string> {
  const answer = await signIn(url, secret);
  if (answer.status !== 204) throw new Error(`the sign-in answered ${answer.status}: ${await answer.text()}`);
  return cookieOf(answer);
}

export function signIn(
  url: string,
  secret: string,
  headers: Record<string, string> = FROM_CONSOLE,
): Promise<Response> {
  return fetch(`${url}/console/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ secret }),
  });
}

export function cookieOf(answer: Response): string {
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** A request below /console/api with the cookie of a session. */
export function asConsole(
  url: string,
  cookie: string,
  path: string,
  {
    method = 'GET',
    body,
    headers = FROM_CONSOLE,
  }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(`${url}/console/api${path}`, {
    method,
    headers: {
      Cookie: cookie,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes
export async function bodyOf(answer: Response): Promise<any> {
  return answer.json();
}
