import { sessionCookieName } from '#kit/http/origins.js';
import type { ServiceDeps } from '../../serviceDeps.js';

/** The cookies of the console. Neither is readable by scripts; over https no other host can set them. */
export function consoleCookies({ baseUrl }: Pick<ServiceDeps['config'], 'baseUrl'>) {
  const session = sessionCookieName(baseUrl);
  const signIn = session.replace('session', 'sign_in');
  const secure = baseUrl.startsWith('https:') ? ['Secure'] : [];
  const text = (name: string, value: string, sameSite: 'Strict' | 'Lax', maxAge: number | null) =>
    [
      `${name}=${value}`,
      'Path=/',
      'HttpOnly',
      `SameSite=${sameSite}`,
      ...secure,
      ...(maxAge === null ? [] : [`Max-Age=${maxAge}`]),
    ].join('; ');
  return {
    session,
    signIn,
    setSession: (token: string) => text(session, token, 'Strict', null),
    endSession: () => text(session, '', 'Strict', 0),
    /** Lax: the issuer sends the browser back, and the cookie has to come along. */
    setSignIn: (sealed: string, seconds: number) => text(signIn, sealed, 'Lax', seconds),
    endSignIn: () => text(signIn, '', 'Lax', 0),
  };
}
