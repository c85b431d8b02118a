import { computed, signal } from '@preact/signals';
import { type ApiFailure, failureFrom, failureOf, unreachable } from './apiFailure.ts';

/** Who is signed in: the answer of GET /console/api/session. */
export interface SignedIn {
  kind: 'key' | 'user' | 'operator';
  /** Who signed in through the issuer. Null: a key or the admin secret did. */
  person: { email: string; userId: string | null; role: Role | null } | null;
  /** As whom the person may act. */
  choices: { userId: string; role: Role; platform: { id: string; name: string } | null }[];
  /** Null: the operator, or a person who has not chosen yet. */
  platform: { id: string; name: string } | null;
  /** Null: the operator and people, who see both. */
  mode: Mode | null;
  keyId: string | null;
  plan: 'starter' | 'growth' | 'enterprise' | null;
  /** Empty: everything. */
  scopes: string[];
  expiresAt: string;
}
export type Mode = 'live' | 'test';
type Role = 'viewer' | 'support' | 'admin';

/** A request, before it is sent. */
export interface Call<Result> {
  readonly method: string;
  /** Below /api/v1, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly result?: Result;
}

/** Undefined: not known yet. Null: nobody. */
export const session = signal<SignedIn | null | undefined>(undefined);
/** Why it is not known: the cookie may be good, so nobody is asked to sign in again. */
export const sessionFailure = signal<ApiFailure | null>(null);
/** The platform that the operator looks at. */
export const viewing = signal<{ id: string; name: string; mode: Mode } | null>(null);
/** Set when a session has ended by itself, so that the sign-in says so. */
export const hasEnded = signal(false);

/** The host of the issuer through which people sign in. Null: there is none. */
export const issuer = signal<string | null>(null);
/** Somebody with several users chooses another one. */
export const isChoosing = signal(false);

const MODE = 'reliability-console.mode';
/** Whose data a person looks at, in this tab alone. */
const personsMode = signal<Mode>(sessionStorage.getItem(MODE) === 'test' ? 'test' : 'live');

/** A person looks at the other data of the platform. */
export function switchMode(): void {
  personsMode.value = personsMode.value === 'live' ? 'test' : 'live';
  sessionStorage.setItem(MODE, personsMode.value);
}

/** The mode of everything on the page. Null: the operator's own views have none. */
export const mode = computed<Mode | null>(() => {
  const own = session.value?.kind === 'user' ? personsMode.value : session.value?.mode;
  return viewing.value?.mode ?? own ?? null;
});
/** Writes are refused: offer none. */
export const isReadOnly = computed(() => viewing.value !== null);

/** Whether requests to a counterparty are offered. Any key may send one; the role of a viewer is to read. */
export const mayAsk = computed(() => !isReadOnly.value && session.value?.person?.role !== 'viewer');
/** Whether the operator's own operations are offered. */
export const mayOperate = computed(() => (session.value?.person?.role ?? 'admin') === 'admin');

type Resource = 'events' | 'scores' | 'usage' | 'webhooks' | 'admin';

/** Whether the key of the session may do this. The service decides; this only hides what would be refused. */
export function may(resource: Resource, action: 'read' | 'write'): boolean {
  if (isReadOnly.value) return action === 'read';
  const scopes = session.value?.scopes ?? [];
  if (scopes.length === 0) return true;
  const opening = ['*', resource, `${resource}:*`, `${resource}:${action}`];
  if (resource !== 'admin') opening.push(action);
  return scopes.some((scope) => opening.includes(scope));
}

/**
 * Tabs share one cookie. After a sign-in or sign-out in one, another would show the data of the former
 * session, and would write as somebody else than it says: a report on a page that says TEST would be
 * live.
 */
const tabs = new BroadcastChannel('reliability-console');
tabs.onmessage = () => {
  session.value = undefined;
  void loadSession();
};

export async function loadSession(): Promise<void> {
  try {
    const headers = { 'X-Console': '1' };
    const response = await fetch('/console/api/session', { headers }).catch(unreachable);
    const failure = response.ok ? null : await failureOf(response);
    if (failure && response.status !== 401) throw failure;
    if (failure) noteIssuer(failure);
    session.value = failure ? null : signedInFrom(await response.json());
    viewing.value = session.value?.kind === 'operator' ? readViewing() : null;
    sessionFailure.value = null;
  } catch (error) {
    session.value = undefined;
    sessionFailure.value = failureFrom(error);
  }
}

/** @param secret a key, the admin secret or the token of a link. Throws ApiFailure. */
export async function signIn(secret: string): Promise<void> {
  const response = await fetch('/console/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Console': '1' },
    body: JSON.stringify({ secret }),
  });
  if (!response.ok) throw await failureOf(response);
  tabs.postMessage('signed in');
  hasEnded.value = false;
  await loadSession();
}

export async function signOut(): Promise<void> {
  await fetch('/console/session', { method: 'DELETE', headers: { 'X-Console': '1' } });
  tabs.postMessage('signed out');
  view(null);
  isChoosing.value = false;
  hasEnded.value = false;
  session.value = null;
}

/** Acts as another user of the same person. Throws ApiFailure. */
export async function choose(userId: string): Promise<void> {
  const response = await fetch('/console/session', {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', 'X-Console': '1' },
    body: JSON.stringify({ userId }),
  });
  if (!response.ok) throw await failureOf(response);
  view(null);
  isChoosing.value = false;
  tabs.postMessage('chosen');
  session.value = signedInFrom(await response.json());
}

function signedInFrom(answer: unknown): SignedIn {
  const signedIn = answer as SignedIn & { issuer: string | null };
  issuer.value = signedIn.issuer;
  return signedIn;
}

function noteIssuer({ code, details }: ApiFailure): void {
  // Else its body was not read: the view that asked is gone.
  if (code !== 'UNAUTHORIZED') return;
  issuer.value = (details as { issuer?: string } | undefined)?.issuer ?? null;
}

/** A request was answered 401. */
export function endSession(failure: ApiFailure): void {
  noteIssuer(failure);
  isChoosing.value = false;
  if (session.peek()) hasEnded.value = true;
  session.value = null;
}

const VIEWING = 'reliability-console.viewing';

/** Looks at a platform as the operator; null ends it. Kept for this tab alone. */
export function view(platform: { id: string; name: string; mode: Mode } | null): void {
  viewing.value = platform;
  if (platform) sessionStorage.setItem(VIEWING, JSON.stringify(platform));
  else sessionStorage.removeItem(VIEWING);
}

function readViewing(): { id: string; name: string; mode: Mode } | null {
  const stored = sessionStorage.getItem(VIEWING);
  return stored === null ? null : (JSON.parse(stored) as { id: string; name: string; mode: Mode });
}
