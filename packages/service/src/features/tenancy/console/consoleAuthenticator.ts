import type { FastifyRequest } from 'fastify';
import { fail } from '#domain/errors.js';
import { scopeResources } from '#domain/scopes.js';
import type { Authenticator, BeforeLookUp } from '#kit/http/admission.js';
import { isConsoleRequest, sessionCookieName, sessionTokenIn } from '#kit/http/origins.js';
import type { Access, Caller, KeyCaller } from '#kit/http/route.js';
import { isUuid } from '#kit/ids.js';
import { recordOwnerActivity } from '#ledger/activity.js';
import { failUnknownPlatform } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { AdmitKey } from '../platforms/authenticator.js';
import { findViewedPlatform, markViewed, type Session, type Sessions } from './sessions.js';

type Deps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'config'> & {
  sessions: Pick<Sessions, 'find' | 'isOpen'>;
  admitKey: AdmitKey;
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
    if (!session || token === null) return refuseSession();
    if (session.kind === 'key') {
      return { ...keyOf(session, access, request), isSignedIn: () => deps.sessions.isOpen(token) };
    }
    return access.kind === 'operator' ? { kind: 'operator' } : viewAs(session, request);
  }

  function keyOf(session: Session & { kind: 'key' }, access: Access, request: FastifyRequest): KeyCaller {
    if (access.kind === 'key') return deps.admitKey(session.known, request.ip);
    return fail('FORBIDDEN', {
      message:
        'You are signed in with a key. Sign in with the admin secret to use the operator’s operations.',
    });
  }

  /** The platform that the operator looks at: its data, and no writing. */
  async function viewAs(session: Session, request: FastifyRequest): Promise<KeyCaller> {
    const { 'x-console-platform': id, 'x-console-mode': mode = 'live' } = request.headers;
    if (typeof id !== 'string' || (mode !== 'live' && mode !== 'test')) {
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
      actor: 'operator',
      livemode: mode === 'live',
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

/** The same answer to every session that is refused. */
export function refuseSession(): never {
  return fail('UNAUTHORIZED', {
    message: 'Sign in at /console: there is no session, or it has ended, or its key no longer has access.',
  });
}
