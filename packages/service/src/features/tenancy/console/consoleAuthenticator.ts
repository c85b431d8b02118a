import type { FastifyRequest } from 'fastify';
import { fail } from '#domain/errors.js';
import { scopeResources } from '#domain/scopes.js';
import type { Authenticator, BeforeLookUp } from '#kit/http/admission.js';
import { isConsoleRequest, sessionCookieName, sessionTokenIn } from '#kit/http/origins.js';
import type { Access, Caller, KeyCaller, OperatorCaller } from '#kit/http/route.js';
import { isUuid } from '#kit/ids.js';
import { recordOwnerActivity } from '#ledger/activity.js';
import { failUnknownPlatform } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { AdmitKey } from '../platforms/authenticator.js';
import {
  actorOf,
  findViewedPlatform,
  markViewed,
  personOf,
  type Session,
  type Sessions,
} from './sessions.js';

type Deps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'config'> & {
  sessions: Pick<Sessions, 'find' | 'isOpen'>;
  admitKey: AdmitKey;
  /** The host of the issuer; null: people sign in with keys alone. */
  issuerHost: string | null;
};

/** Identifies requests at /console/api by their session, and all others as before (RULES K13, K15). */
export function withConsoleSessions(authenticator: Authenticator, deps: Deps): Authenticator {
  const cookieName = sessionCookieName(deps.config.baseUrl);
  return {
    identify(access, request, beforeLookUp) {
      if (!isConsoleRequest(request)) return authenticator.identify(access, request, beforeLookUp);
      return access.kind === 'public' ? { kind: 'public' } : identifySession(access, request, beforeLookUp);
    },
    authorize: authenticator.authorize,
  };

  async function identifySession(
    access: Access,
    request: FastifyRequest,
    beforeLookUp: BeforeLookUp,
  ): Promise<Caller> {
    const token = sessionTokenIn(request.headers.cookie, cookieName);
    const session = token === null ? null : await deps.sessions.find(token, beforeLookUp);
    if (!session || token === null) return refuseSession(deps.issuerHost);
    if (session.kind === 'operator') {
      return access.kind === 'operator' ? asOperator(session, request) : viewAs(session, request);
    }
    const isSignedIn = () => deps.sessions.isOpen(token);
    return { ...keyOf(session, access, request), isSignedIn };
  }

  function keyOf(
    session: Session & { kind: 'key' | 'user' },
    access: Access,
    request: FastifyRequest,
  ): KeyCaller {
    if (access.kind !== 'key') {
      return fail('FORBIDDEN', {
        message: 'You are signed in to a platform. The operator’s operations need a sign-in as the operator.',
      });
    }
    if (!session.known) {
      const message = 'Choose first as whom you act: PATCH /console/session {"userId": "…"}.';
      return fail('FORBIDDEN', { message });
    }
    const caller = deps.admitKey(session.known, request.ip);
    return caller.isUser ? { ...caller, livemode: modeIn(request) === 'live' } : caller;
  }

  /** People who only read are refused here: the operator's operations have no scopes. */
  function asOperator(session: Session, { method }: FastifyRequest): OperatorCaller {
    const role = personOf(session)?.chosen?.role ?? 'admin';
    if (role !== 'admin' && method !== 'GET' && method !== 'HEAD')
      fail('FORBIDDEN', { message: `Your role (${role}) only reads.` });
    return { kind: 'operator', actor: actorOf(session) };
  }

  /** The platform that the operator looks at: its data, and no writing. */
  async function viewAs(session: Session, request: FastifyRequest): Promise<KeyCaller> {
    const { 'x-console-platform': id } = request.headers;
    if (typeof id !== 'string') {
      return fail('FORBIDDEN', {
        message:
          'You are signed in as the operator. Name the platform to look at in X-Console-Platform, and live or test in X-Console-Mode.',
      });
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return fail('FORBIDDEN', { message: 'The operator can look at a platform’s data, and not change it.' });
    }
    const platform = isUuid(id) ? await findViewedPlatform(deps.db, id) : null;
    if (!platform) return failUnknownPlatform();
    const caller: KeyCaller = {
      ...platform,
      kind: 'key',
      isOperatorsView: true,
      keyId: NO_KEY,
      actor: actorOf(session),
      livemode: modeIn(request) === 'live',
      scopes: READ_ONLY,
      rateLimitPerMinute: 0,
      monthlyQuota: 0,
      maxKeyLifetimeDays: null,
      confirmationsRequireWrite: true,
    };
    await recordView(session, caller);
    return caller;
  }

  /** Once for each platform and mode in a session (RULES K15). */
  async function recordView({ sessionHash, viewed: known }: Session, viewed: KeyCaller): Promise<void> {
    const view = `${viewed.platformId} ${viewed.livemode ? 'live' : 'test'}`;
    if (known.has(view)) return;
    await deps.db.transaction(async (tx) => {
      if (!(await markViewed(tx, sessionHash, view))) return;
      const activity = { action: 'CONSOLE_VIEWED_AS_PLATFORM', at: deps.clock.now() } as const;
      await tx.inLedger(viewed.group, (own) => recordOwnerActivity(own, deps.ids, viewed, activity));
    });
    known.add(view);
  }
}

const NO_KEY = '00000000-0000-0000-0000-000000000000';
const READ_ONLY = scopeResources.map((resource) => `${resource}:read`);

/** People see the data of both modes, and each request says which. Throws FORBIDDEN. */
function modeIn({ headers }: FastifyRequest): 'live' | 'test' {
  const { 'x-console-mode': mode = 'live' } = headers;
  if (mode === 'live' || mode === 'test') return mode;
  return fail('FORBIDDEN', { message: 'X-Console-Mode must be live or test.' });
}

/** The same answer to every session that is refused. The console shows whether there is an issuer. */
export function refuseSession(issuerHost: string | null): never {
  return fail('UNAUTHORIZED', {
    message:
      'Sign in at /console: there is no session, or it has ended, or its key or user no longer has access.',
    ...(issuerHost !== null && { details: { issuer: issuerHost } }),
  });
}
