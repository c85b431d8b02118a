import type { FastifyRequest } from 'fastify';
import { planOpens, requiredPlanOf } from '#domain/catalogues/plans.js';
import { fail, serviceError } from '#domain/errors.js';
import {
  mayWriteAnything,
  type ScopeAction,
  scopeCatalogue,
  scopesAllow,
  scopesThatAllow,
} from '#domain/scopes.js';
import { isWithin } from '#kit/addressGuard.js';
import type { Clock } from '#kit/clock.js';
import { hashOfSecret, isSameSecret } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import type { Authenticator, BeforeLookUp } from '#kit/http/admission.js';
import type { Caller, KeyAccess, KeyCaller, PlanFeature, RouteAction } from '#kit/http/route.js';
import { unopenedGroup } from '#ledger/groups/store.js';
import { findActiveKey, type KnownKey } from './keyStore.js';
import { refuseKey } from './keyTerms.js';
import type { KeyUses } from './keyUses.js';
import { createLookUps } from './lookUps.js';

interface AuthenticatorDeps {
  db: Database;
  clock: Clock;
  /** Undefined: the operator API is closed. */
  adminSecret: string | undefined;
  keyUses: Pick<KeyUses, 'note'>;
  /** The handles of all ledger groups that this process has opened. */
  groups(): readonly Database[];
}

/**
 * Refuses a key that is unknown, expired or used from another network, and notes its use. Throws
 * UNAUTHORIZED, FORBIDDEN.
 */
export type AdmitKey = (known: KnownKey | null, address: string) => KeyCaller;

interface CachingAuthenticator extends Authenticator {
  readonly admitKey: AdmitKey;
  /** A change takes effect with the next request. */
  forgetKeys(): void;
}

/**
 * Identifies the caller by `Authorization: Bearer` or `X-Admin-Secret`, and checks scopes and plan
 * (RULES K2, K3).
 */
export function createAuthenticator(deps: AuthenticatorDeps): CachingAuthenticator {
  const keys = createLookUps((key) => findActiveKey(deps.db, hashOfSecret(key)));
  return {
    identify(access, request, beforeLookUp) {
      switch (access.kind) {
        case 'public':
          return ANONYMOUS;
        case 'operator':
          return identifyOperator(deps.adminSecret, request);
        case 'key':
          return identifyKey(request, beforeLookUp);
      }
    },
    authorize(route, caller, request) {
      if (caller.kind !== 'key') return;
      if (route.access.kind === 'key') assertScope(caller, route.access, request);
      if (route.plan !== undefined) assertPlan(caller, route.plan);
    },
    forgetKeys: keys.expireAll,
    admitKey: (known, address) => callerOf(known, deps.clock.now().getTime(), address),
  };

  function identifyKey(request: FastifyRequest, beforeLookUp: BeforeLookUp): Caller | Promise<Caller> {
    const key = bearerToken(request);
    const nowMs = deps.clock.now().getTime();
    const fresh = keys.fresh(key, nowMs);
    if (fresh) return callerOf(fresh, nowMs, request.ip);
    return keys
      .find(key, nowMs, (last) => beforeLookUp(last?.caller ?? null))
      .then((known) => callerOf(known, nowMs, request.ip));
  }

  function callerOf(known: KnownKey | null, nowMs: number, address: string): KeyCaller {
    if (!known || (known.expiresAt && known.expiresAt.getTime() <= nowMs)) return refuseKey();
    if (known.allowedNetworks && !isWithin(address, known.allowedNetworks)) refuseAddress(address);
    // Before the second group is opened, the first one would serve the platform.
    if (!deps.groups()[known.caller.group]) throw unopenedGroup(known.caller.group);
    deps.keyUses.note(known.caller.keyId, nowMs);
    return known.caller;
  }
}

/**
 * Until the database is prepared nobody can be recognised. Operations without a key answer all the
 * same.
 */
export function closedUntilReady(
  authenticator: Authenticator,
  readiness: { readonly isReady: boolean },
): Authenticator {
  return {
    identify(access, request, beforeLookUp) {
      if (access.kind !== 'public' && !readiness.isReady) {
        const message = 'The service is waiting for its database. Try again in a moment.';
        throw serviceError('SERVICE_UNAVAILABLE', { message });
      }
      return authenticator.identify(access, request, beforeLookUp);
    },
    authorize: authenticator.authorize,
  };
}

function refuseAddress(address: string): never {
  return fail('FORBIDDEN', {
    message: `This key is restricted to networks (allowedCidrs). The request comes from ${address}, which is in none of them.`,
  });
}

const ANONYMOUS: Caller = { kind: 'public' };

const KEY = /^Bearer (crd_(?:live|test)_[A-Za-z0-9_-]{16,256})$/i;

/** Whether a secret has the form of a key. */
export function isKey(secret: string): boolean {
  return KEY.test(`Bearer ${secret}`);
}

function bearerToken(request: FastifyRequest): string {
  const given = request.headers.authorization;
  return (given && KEY.exec(given)?.[1]) || refuseKey();
}

function assertScope(caller: KeyCaller, access: KeyAccess, request: FastifyRequest): void {
  if (access.asks) assertMayAsk(caller);
  if (!access.scope) return;
  const { resource } = access.scope;
  const actions = actionsThatOpen(access.scope.action, request);
  if (actions.some((action) => scopesAllow(caller.scopes, resource, action))) return;
  const required = new Set(actions.flatMap((action) => scopesThatAllow(resource, action)));
  fail('SCOPE_INSUFFICIENT', {
    message: `${caller.isUser ? 'Your role' : 'This key'} lacks the scope ${actions.map((action) => `${resource}:${action}`).join(' or ')}.`,
    details: { required: [...required], held: caller.scopes },
  });
}

/**
 * With `confirmationsRequireWrite`, asking a counterparty needs a key with a write action. A person
 * always does: the role of a viewer is to read.
 */
function assertMayAsk({ confirmationsRequireWrite, scopes, isUser }: KeyCaller): void {
  if (!(confirmationsRequireWrite || isUser) || mayWriteAnything(scopes)) return;
  fail('SCOPE_INSUFFICIENT', {
    message: isUser
      ? 'Your role only reads.'
      : 'This key only reads, and the platform requires a write action for this operation (confirmationsRequireWrite).',
    details: { required: scopeCatalogue.filter((scope) => mayWriteAnything([scope])), held: scopes },
  });
}

function actionsThatOpen(action: RouteAction, request: FastifyRequest): ScopeAction[] {
  switch (action) {
    case 'byMethod':
      return request.method === 'GET' || request.method === 'HEAD' ? ['read'] : ['write'];
    case 'either':
      return ['read', 'write'];
    default:
      return [action];
  }
}

/** Test keys can use every feature, whatever the plan (RULES M3). */
function assertPlan({ livemode, plan }: KeyCaller, feature: PlanFeature): void {
  if (!livemode || planOpens(plan, feature)) return;
  const requiredPlan = requiredPlanOf(feature);
  fail('PLAN_REQUIRED', {
    message: `The plan ${plan} does not include ${feature}; ${requiredPlan} does.`,
    details: { feature, currentTier: plan, requiredPlan },
  });
}

function identifyOperator(adminSecret: string | undefined, request: FastifyRequest): Caller {
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
  return { kind: 'operator', actor: 'operator' };
}
