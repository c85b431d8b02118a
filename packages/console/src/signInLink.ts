import { signal } from '@preact/signals';
import { type ApiFailure, failureFrom } from './kit/apiFailure.ts';
import { signIn } from './kit/session.ts';

const FAILURES = [
  'unavailable',
  'refused',
  'cancelled',
  'unverified',
  'unknown',
  'moved',
  'expired',
] as const;

/** Why the sign-in through the issuer signed nobody in. */
export const issuerFailure = signal<(typeof FAILURES)[number] | null>(null);

/** `/console#sign-in-failed=<reason>`: the service sends the browser here from the issuer. */
export function takeIssuerFailure(): void {
  const given = /^#sign-in-failed=(\w+)$/.exec(location.hash)?.[1];
  if (given === undefined) return;
  history.replaceState(null, '', location.pathname + location.search);
  issuerFailure.value = FAILURES.find((known) => known === given) ?? 'refused';
}

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
