import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { planKeys } from '../../../domain/catalogues/plans.js';
import { ServiceError } from '../../../domain/errors.js';
import { noContent, ok } from '../../../kit/http/answer.js';
import type { Metrics } from '../../../kit/http/metrics.js';
import { refuseOtherSites, sessionCookieName, sessionTokenIn } from '../../../kit/http/origins.js';
import { instant } from '../../../kit/http/query.js';
import { everyone, type RouteTable, route } from '../../../kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type AdmitKey, isKey } from '../platforms/authenticator.js';
import { refuseSession } from './consoleAuthenticator.js';
import { endOf, IDLE_MINUTES, MAX_HOURS, type Session, type Sessions } from './sessions.js';

const SignInBody = z
  .object({
    secret: z.string().min(1).max(512).meta({
      description: 'An API key, the admin secret, or the token of a sign-in link.',
    }),
  })
  .meta({
    id: 'NewConsoleSession',
    description: 'The secret to sign in with.',
    example: { secret: 'crd_test_Zk3uUcl1Jk1zY0yq8wW5cM2bq0Vf7Rr9e4TtHnPpXsA' },
  });

const SignedIn = z
  .object({
    kind: z.enum(['key', 'operator']).meta({ description: 'Whether a key or the admin secret signed in.' }),
    platform: z
      .object({ id: z.uuid(), name: z.string() })
      .nullable()
      .meta({ description: 'The platform of the key. `null` for the operator.' }),
    mode: z
      .enum(['live', 'test'])
      .nullable()
      .meta({ description: 'The mode of the key: live and test data never mix. `null` for the operator.' }),
    keyId: z.uuid().nullable().meta({ description: 'The key of the session. `null` for the operator.' }),
    plan: z.enum(planKeys).nullable().meta({ description: 'The plan of the platform.' }),
    scopes: z.array(z.string()).meta({ description: 'The scopes of the key. Empty: everything.' }),
    expiresAt: instant.meta({ description: 'When the session ends at the latest.' }),
  })
  .meta({
    id: 'ConsoleSession',
    description: 'Who is signed in to the console.',
    example: {
      kind: 'key',
      platform: { id: '0199a3c2-0000-7000-8000-000000000001', name: 'Default' },
      mode: 'test',
      keyId: '0199a3c2-7b1f-7d02-9a11-0c4de8f7b215',
      plan: 'enterprise',
      scopes: [],
      expiresAt: '2026-03-01T21:00:00.000Z',
    },
  });

type ConsoleDeps = Pick<ServiceDeps, 'config'> & {
  sessions: Sessions;
  admitKey: AdmitKey;
  metrics: Pick<Metrics, 'failedLogins'>;
};

/** Sign-in to the console (RULES K13, K14). Its other operations are those of /api/v1. */
export function consoleRoutes({ config, sessions, admitKey, metrics }: ConsoleDeps): RouteTable {
  if (!config.console) return {};
  const isHttps = config.baseUrl.startsWith('https:');
  const cookieName = sessionCookieName(config.baseUrl);
  const cookie = (token: string, maxAge?: number) => ({
    'Set-Cookie': [
      `${cookieName}=${token}`,
      'Path=/',
      'HttpOnly',
      'SameSite=Strict',
      ...(isHttps ? ['Secure'] : []),
      ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    ].join('; '),
  });
  const common = { access: everyone, sameOrigin: true, tag: 'Console' } as const;
  return {
    'POST !/console/session': route({
      operationId: 'signInToConsole',
      ...common,
      summary: 'Sign in to the console',
      description:
        `Sets a cookie for a session that can do what the key can. It ends ${IDLE_MINUTES} minutes after the last request, ` +
        `${MAX_HOURS} hours after the sign-in, with its key, and when the same browser signs in again. The cookie opens \`/console/api/…\`, where every operation of ` +
        '`/api/v1` is, and nothing else. Writes there need the headers `Sec-Fetch-Site: same-origin` and `X-Console: 1`. A session ' +
        'of the operator reads the data of a platform with `X-Console-Platform: <id>` and `X-Console-Mode: live` or `test`, and ' +
        "the platform's activity log says so.",
      body: SignInBody,
      answers: { 204: null },
      errors: ['UNAUTHORIZED', 'FORBIDDEN'],
      async handle({ body, header, clientAddress, log }) {
        refuseOtherSites(header);
        try {
          const token = await sessions.open(body.secret.trim(), clientAddress);
          const previous = sessionTokenIn(header('cookie'), cookieName);
          if (previous !== null) await sessions.end(previous);
          return { ...noContent(), headers: cookie(token) };
        } catch (error) {
          noteFailure(error, body.secret, clientAddress, log);
          throw error;
        }
      },
    }),
    'GET !/console/session': route({
      operationId: 'readConsoleSession',
      ...common,
      answers: { 200: SignedIn },
      errors: ['UNAUTHORIZED', 'FORBIDDEN'],
      async handle({ header, clientAddress }) {
        refuseOtherSites(header);
        const token = sessionTokenIn(header('cookie'), cookieName);
        const session = token === null ? null : await sessions.find(token);
        if (!session) return refuseSession();
        if (session.kind === 'key') admitKey(session.known, clientAddress);
        return ok(toResponse(session));
      },
    }),
    'DELETE !/console/session': route({
      operationId: 'signOutOfConsole',
      ...common,
      answers: { 204: null },
      errors: ['FORBIDDEN'],
      async handle({ header }) {
        refuseOtherSites(header);
        const token = sessionTokenIn(header('cookie'), cookieName);
        if (token !== null) await sessions.end(token);
        return { ...noContent(), headers: cookie('', 0) };
      },
    }),
  };

  function noteFailure(error: unknown, secret: string, address: string, log: FastifyBaseLogger): void {
    if (!(error instanceof ServiceError) || error.status >= 500) return;
    const kind = isKey(secret.trim()) ? 'key' : 'operator';
    metrics.failedLogins.inc({ kind });
    log.warn({ kind, code: error.code, address, route: '/console/session' }, 'a log-in failed');
  }
}

function toResponse(session: Session): z.output<typeof SignedIn> {
  const expiresAt = endOf(session);
  if (session.kind === 'operator') {
    return { kind: 'operator', platform: null, mode: null, keyId: null, plan: null, scopes: [], expiresAt };
  }
  const { platformId, platformName, livemode, keyId, plan, scopes } = session.known.caller;
  return {
    kind: 'key',
    platform: { id: platformId, name: platformName },
    mode: livemode ? 'live' : 'test',
    keyId,
    plan,
    scopes: [...scopes],
    expiresAt,
  };
}
