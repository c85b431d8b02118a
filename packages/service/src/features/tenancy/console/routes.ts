import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { userRoles } from '#domain/catalogues/enums.js';
import { planKeys } from '#domain/catalogues/plans.js';
import { ServiceError } from '#domain/errors.js';
import type { Clock } from '#kit/clock.js';
import { hashOfSecret, randomSecret } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import { noContent, ok } from '#kit/http/answer.js';
import type { Metrics } from '#kit/http/metrics.js';
import { refuseOtherSites, sessionTokenIn } from '#kit/http/origins.js';
import { instant, pathText } from '#kit/http/query.js';
import { everyone, type RouteTable, route } from '#kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type AdmitKey, isKey } from '../platforms/authenticator.js';
import { refuseSession } from './consoleAuthenticator.js';
import { consoleCookies } from './cookies.js';
import {
  endOf,
  IDLE_MINUTES,
  insertSignInLink,
  MAX_HOURS,
  personOf,
  type Session,
  type Sessions,
} from './sessions.js';

const SignInBody = z
  .object({
    secret: z.string().min(1).max(512),
  })
  .meta({ id: 'NewConsoleSession' });

const role = z.enum(userRoles);
const platform = z.object({ id: z.uuid(), name: z.string() });

const ChoiceBody = z.object({ userId: pathText() }).meta({ id: 'ConsoleSessionChoice' });

const SignedIn = z
  .object({
    kind: z.enum(['key', 'user', 'operator']),
    person: z.object({ email: z.string(), userId: z.uuid().nullable(), role: role.nullable() }).nullable(),
    issuer: z.string().nullable(),
    choices: z.array(z.object({ userId: z.uuid(), role, platform: platform.nullable() })),
    platform: platform.nullable(),
    mode: z.enum(['live', 'test']).nullable(),
    keyId: z.uuid().nullable(),
    plan: z.enum(planKeys).nullable(),
    scopes: z.array(z.string()),
    expiresAt: instant,
  })
  .meta({ id: 'ConsoleSession' });

type ConsoleDeps = Pick<ServiceDeps, 'config'> & {
  sessions: Sessions;
  admitKey: AdmitKey;
  /** The host of the issuer; null: people sign in with keys alone. */
  issuerHost: string | null;
  metrics: Pick<Metrics, 'failedLogins'>;
};

/** Sign-in to the console (RULES K13, K14). Its other operations are those of /api/v1. */
export function consoleRoutes(deps: ConsoleDeps): RouteTable {
  const { config, sessions, admitKey, issuerHost, metrics } = deps;
  if (!config.console) return {};
  const cookies = consoleCookies(config);
  const tokenIn = (header: (name: string) => string | undefined) =>
    sessionTokenIn(header('cookie'), cookies.session);
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
          const previous = tokenIn(header);
          if (previous !== null) await sessions.end(previous);
          return { ...noContent(), headers: { 'Set-Cookie': cookies.setSession(token) } };
        } catch (error) {
          noteFailure(error, body.secret, clientAddress, log());
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
        return ok(toResponse(await sessionOf(tokenIn(header), clientAddress), issuerHost));
      },
    }),
    'PATCH !/console/session': route({
      operationId: 'chooseConsoleUser',
      ...common,
      answersErased: true, // this user is no subject
      body: ChoiceBody,
      answers: { 200: SignedIn },
      errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
      async handle({ body, header, clientAddress }) {
        refuseOtherSites(header);
        const token = tokenIn(header);
        await sessionOf(token, clientAddress);
        if (token !== null) await sessions.choose(token, body.userId, clientAddress);
        return ok(toResponse(await sessionOf(token, clientAddress), issuerHost));
      },
    }),
    'DELETE !/console/session': route({
      operationId: 'signOutOfConsole',
      ...common,
      answers: { 204: null },
      errors: ['FORBIDDEN'],
      async handle({ header }) {
        refuseOtherSites(header);
        const token = tokenIn(header);
        if (token !== null) await sessions.end(token);
        return { ...noContent(), headers: { 'Set-Cookie': cookies.endSession() } };
      },
    }),
  };

  async function sessionOf(token: string | null, address: string): Promise<Session> {
    const session = token === null ? null : await sessions.find(token);
    if (!session) return refuseSession(issuerHost);
    if (session.kind !== 'operator' && session.known) admitKey(session.known, address);
    return session;
  }

  function noteFailure(error: unknown, secret: string, address: string, log: FastifyBaseLogger): void {
    if (!(error instanceof ServiceError) || error.status >= 500) return;
    const kind = isKey(secret.trim()) ? 'key' : 'operator';
    metrics.failedLogins.inc({ kind });
    log.warn({ kind, code: error.code, address, route: '/console/session' }, 'a log-in failed');
  }
}

function toResponse(session: Session, issuer: string | null): z.output<typeof SignedIn> {
  const { kind } = session;
  const person = personOf(session);
  const common = {
    kind,
    issuer,
    expiresAt: endOf(session),
    choices: [...(person?.choices ?? [])],
    person: person && {
      email: person.email,
      userId: person.chosen?.userId ?? null,
      role: person.chosen?.role ?? null,
    },
  };
  const caller = session.kind === 'operator' ? null : session.known?.caller;
  if (!caller) return { ...common, platform: null, mode: null, keyId: null, plan: null, scopes: [] };
  const { platformId, platformName, livemode, keyId, plan, scopes } = caller;
  const isKey = kind === 'key';
  return {
    ...common,
    platform: { id: platformId, name: platformName },
    mode: isKey ? (livemode ? 'live' : 'test') : null,
    keyId: isKey ? keyId : null,
    plan,
    scopes: [...scopes],
  };
}

const LINK_MINUTES = 10;

/**
 * Makes the token of a link that opens one session for a key within ten minutes (RULES K16).
 * @param key as its owner has it.
 */
export async function createSignInLink(
  { db, clock }: { db: Database; clock: Clock },
  key: string,
): Promise<string> {
  const token = randomSecret('signin_');
  const expiresAt = new Date(clock.now().getTime() + LINK_MINUTES * 60_000);
  await db.transaction((tx) =>
    insertSignInLink(tx, { tokenHash: hashOfSecret(token), keyHash: hashOfSecret(key), expiresAt }),
  );
  return token;
}
