import type { FastifyRequest } from 'fastify';
import { fail } from '../../domain/errors.js';
import { scopesAllow, scopesThatAllow } from '../../domain/scopes.js';
import type { Clock } from '../../kit/clock.js';
import { hashOfSecret, isSameSecret } from '../../kit/crypto.js';
import type { Database } from '../../kit/db/database.js';
import type { Gatekeeper } from '../../kit/http/mount.js';
import type { Caller, KeyAccess, KeyCaller } from '../../kit/http/route.js';
import { findActiveKey, type KnownKey, touchKey } from './keyStore.js';

interface GatekeeperParts {
  db: Database;
  clock: Clock;
  /** Unset: the operator's operations are closed to everyone. */
  adminSecret: string | undefined;
}

/** How long an answer about a key holds: a change made by another process reaches this one within that time. */
const KEY_CACHE_MS = 1000;
const KEY_CACHE_ENTRIES = 10_000;
/** `lastUsedAt` of a key in use is at most this far behind: one small write a minute, not one a request. */
const LAST_USE_PRECISION_MS = 60_000;

export interface CachingGatekeeper extends Gatekeeper {
  /** Forgets all keys, so that a change made in this process holds from the next request on. */
  forgetKeys(): void;
}

/** Who calls, by `Authorization: Bearer` or `X-Admin-Secret`, and whether its scopes reach (INTERFACE 5). */
export function createGatekeeper(parts: GatekeeperParts): CachingGatekeeper {
  const cache = new Map<
    string,
    { known: Promise<KnownKey | null>; settled: KnownKey | null; until: number }
  >();
  return {
    admit(access, request) {
      switch (access.kind) {
        case 'public':
          return { kind: 'public' };
        case 'operator':
          return admitOperator(parts.adminSecret, request);
        case 'key':
          return admitKey(access, request);
      }
    },
    forgetKeys: () => cache.clear(),
  };

  function admitKey(access: KeyAccess, request: FastifyRequest): Caller | Promise<Caller> {
    const key = bearerToken(request);
    const nowMs = parts.clock.now().getTime();
    const cached = cache.get(key);
    if (cached && cached.until > nowMs && cached.settled)
      return checked(cached.settled, nowMs, access, request);
    return lookUp(key, nowMs).then((known) => checked(known, nowMs, access, request));
  }

  function lookUp(key: string, nowMs: number): Promise<KnownKey | null> {
    const cached = cache.get(key);
    if (cached && cached.until > nowMs) return cached.known;
    if (cache.size >= KEY_CACHE_ENTRIES) cache.clear();
    const known = findActiveKey(parts.db, hashOfSecret(key));
    const entry = { known, settled: null as KnownKey | null, until: nowMs + KEY_CACHE_MS };
    cache.set(key, entry);
    known.then(
      (found) => {
        entry.settled = found;
        if (found) noteUse(found, nowMs);
      },
      () => cache.delete(key),
    );
    return known;
  }

  /** Nobody waits for it, and when it fails the note is a little older: the request itself reports a database that is away. */
  function noteUse({ caller, expiresAt, lastUsedAt }: KnownKey, nowMs: number): void {
    const staleBefore = new Date(nowMs - LAST_USE_PRECISION_MS);
    const isExpired = expiresAt !== null && expiresAt.getTime() <= nowMs;
    if (isExpired || (lastUsedAt && lastUsedAt >= staleBefore)) return;
    touchKey(parts.db, caller.keyId, new Date(nowMs), staleBefore).catch(() => undefined);
  }
}

function checked(
  known: KnownKey | null,
  nowMs: number,
  access: KeyAccess,
  request: FastifyRequest,
): KeyCaller {
  if (!known || (known.expiresAt && known.expiresAt.getTime() <= nowMs)) {
    return refuseKey('This API key is not valid: unknown, revoked, expired or its platform is inactive.');
  }
  assertScope(known.caller, access, request);
  return known.caller;
}

const KEY = /^Bearer (crd_(?:live|test)_[A-Za-z0-9_-]{16,256})$/i;

function bearerToken(request: FastifyRequest): string {
  const given = request.headers.authorization;
  if (given === undefined) {
    return refuseKey('An API key is needed: Authorization: Bearer crd_live_... or crd_test_...');
  }
  const token = KEY.exec(given)?.[1];
  return (
    token ??
    refuseKey('The Authorization header must be Bearer and a key that starts with crd_live_ or crd_test_.')
  );
}

function refuseKey(message: string): never {
  return fail('UNAUTHORIZED', { message, headers: { 'WWW-Authenticate': 'Bearer' } });
}

function assertScope(caller: KeyCaller, access: KeyAccess, request: FastifyRequest): void {
  if (!access.scope) return;
  const { resource } = access.scope;
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  const action = access.scope.action === 'byMethod' ? (isReading ? 'read' : 'write') : access.scope.action;
  if (scopesAllow(caller.scopes, resource, action)) return;
  fail('SCOPE_INSUFFICIENT', {
    message: `This key lacks the scope ${resource}:${action}.`,
    details: { required: scopesThatAllow(resource, action), held: caller.scopes },
  });
}

function admitOperator(adminSecret: string | undefined, request: FastifyRequest): Caller {
  const given = request.headers['x-admin-secret'];
  if (adminSecret === undefined) {
    return fail('UNAUTHORIZED', {
      message: 'The operator API is closed: this installation has no ADMIN_SECRET.',
    });
  }
  if (typeof given !== 'string' || !isSameSecret(given, adminSecret)) {
    return fail('UNAUTHORIZED', {
      message: 'The operator API needs the header X-Admin-Secret with the right secret.',
    });
  }
  return { kind: 'operator' };
}
