import { signal } from '@preact/signals';
import { type ApiFailure, failureFrom } from './kit/apiFailure.ts';
import { signIn } from './kit/session.ts';

/** Why the link in the address did not sign in. */
export const linkFailure = signal<ApiFailure | null>(null);

/** `/console#sign-in=<token>`: the fragment leaves the address before anything is sent. */
export async function takeSignInLink(): Promise<void> {
  const token = /^#sign-in=(.+)$/.exec(location.hash)?.[1];
  if (token === undefined) return;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    await signIn(token);
  } catch (error) {
    linkFailure.value = failureFrom(error);
  }
}
