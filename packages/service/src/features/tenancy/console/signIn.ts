import { z } from 'zod';
import { fail } from '#domain/errors.js';
import { isSameSecret, randomSecret } from '#kit/crypto.js';
import type { Metrics } from '#kit/http/metrics.js';
import { cookieIn, refuseOtherSites, sessionTokenIn } from '#kit/http/origins.js';
import { everyone, type RequestContext, type RouteTable, route } from '#kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { consoleCookies } from './cookies.js';
import { type Issuer, SignInError, type SignInFailure } from './issuer.js';
import type { Sessions } from './sessions.js';

type SignInDeps = Pick<ServiceDeps, 'config' | 'clock' | 'vault'> & {
  sessions: Sessions;
  /** Null: people sign in with keys alone. */
  issuer: Issuer | null;
  metrics: Pick<Metrics, 'failedLogins'>;
};

export const CALLBACK = '/console/sign-in/callback';
const MINUTES = 10;
const CONTEXT = 'sign-in to the console';
/** Browsers keep no longer cookie. */
const MAX_COOKIE = 4096;
const MAX_PATH = 2048;

/** What a browser holds between leaving for the issuer and coming back, sealed under DATA_KEY. */
const Pending = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Where to go afterwards, below /console. */
  to: z.string(),
  /** The session of this browser, which the new one replaces. */
  previous: z.string().nullable(),
  untilMs: z.number(),
});
type Pending = z.output<typeof Pending>;

const StartQuery = z.object({ to: z.string().max(MAX_PATH).optional() });

/** Other parameters, such as `session_state`, are ignored. */
const CallbackQuery = z.object({
  code: z.string().max(8192).optional(),
  state: z.string().max(512).optional(),
  iss: z.string().max(2048).optional(),
  error: z.string().max(256).optional(),
});

type Context = Pick<
  RequestContext<typeof everyone, unknown, unknown, unknown>,
  'header' | 'clientAddress' | 'log'
>;

/** Sign-in through the issuer (RULES K18). Whatever fails leads back to the sign-in page, which says what. */
export function signInRoutes({ config, clock, vault, sessions, issuer, metrics }: SignInDeps): RouteTable {
  if (!config.console) return {};
  const cookies = consoleCookies(config);
  const common = { access: everyone, sameOrigin: true, tag: 'Console' } as const;
  return {
    'GET !/console/sign-in': route({
      operationId: 'beginConsoleSignIn',
      ...common,
      query: StartQuery,
      answers: { 303: null },
      errors: ['FORBIDDEN', 'NOT_FOUND'],
      async handle(context) {
        refuseOtherSites(context.header);
        const by = issuer ?? failWithoutIssuer();
        const to = pathWithin(context.query.to);
        try {
          if (isTwinOf(config.baseUrl, context.header('host')))
            return see(config.baseUrl + addressOf(to) + fragmentOf('moved'), []);
          const attempt = { state: randomSecret(''), nonce: randomSecret(''), verifier: randomSecret('') };
          const address = await by.begin(attempt);
          const previous = sessionTokenIn(context.header('cookie'), cookies.session);
          const untilMs = clock.now().getTime() + MINUTES * 60_000;
          const sealed = vault.seal(JSON.stringify({ ...attempt, to, previous, untilMs }), CONTEXT);
          return see(address, [cookies.setSignIn(sealed.toString('base64url'), MINUTES * 60)]);
        } catch (error) {
          return failed(error, to, context);
        }
      },
    }),
    [`GET !${CALLBACK}`]: route({
      operationId: 'finishConsoleSignIn',
      ...common,
      query: CallbackQuery,
      answers: { 303: null },
      errors: ['NOT_FOUND'],
      async handle(context) {
        const by = issuer ?? failWithoutIssuer();
        const pending = pendingIn(context.header('cookie'));
        try {
          const { state } = context.query;
          // Bound to this browser: nobody can be signed in as somebody else by a link.
          if (!pending || state === undefined || !isSameSecret(state, pending.state))
            throw new SignInError('expired', pending ? 'another state' : 'no cookie');
          const email = await by.finish(answerOf(context.query), pending);
          const token = await sessions.openFor(email, context.clientAddress);
          if (token === null) throw new SignInError('unknown', 'no user has the address');
          if (pending.previous !== null) await sessions.end(pending.previous);
          return see(addressOf(pending.to), [cookies.setSession(token), cookies.endSignIn()]);
        } catch (error) {
          return failed(error, pending?.to ?? '/', context);
        }
      },
    }),
  };

  function pendingIn(cookie: string | undefined): Pending | null {
    const sealed = cookieIn(cookie, cookies.signIn);
    if (sealed === '' || sealed.length > MAX_COOKIE) return null;
    try {
      const pending = Pending.parse(JSON.parse(vault.open(Buffer.from(sealed, 'base64url'), CONTEXT)));
      return pending.untilMs > clock.now().getTime() ? pending : null;
    } catch {
      return null; // made by nobody, or under another DATA_KEY
    }
  }

  function answerOf(query: z.output<typeof CallbackQuery>): URL {
    const answer = new URL(config.baseUrl + CALLBACK);
    for (const [name, value] of Object.entries(query)) answer.searchParams.set(name, value);
    return answer;
  }

  /** A person reads this page, so the answer is the sign-in with its reason, not a status. */
  function failed(error: unknown, to: string, { clientAddress, log }: Context) {
    if (!(error instanceof SignInError)) throw error;
    const { failure, reason } = error;
    if (failure !== 'cancelled') {
      metrics.failedLogins.inc({ kind: 'user' });
      log().warn({ kind: 'user', failure, reason, address: clientAddress }, 'a log-in failed');
    }
    return see(`${addressOf(to)}${fragmentOf(failure)}`, [cookies.endSignIn()]);
  }
}

function see(address: string, cookies: string[]) {
  // A list is sent as one header each. Nothing else has a header twice, so the type knows texts alone.
  const headers = { Location: address, 'Set-Cookie': cookies as unknown as string };
  return { status: 303, body: null, headers } as const;
}

function fragmentOf(failure: SignInFailure): string {
  return `#sign-in-failed=${failure}`;
}

/** Within the console, whatever was given: a path is put behind /console, and may not leave it again. */
function pathWithin(to = '/'): string {
  if (!/^\/[\x21-\x7e]*$/.test(to)) return '/';
  const { pathname, search } = new URL(`/console${to}`, 'http://localhost');
  return pathname.startsWith('/console/') ? pathname.slice('/console'.length) + search : '/';
}

function addressOf(to: string): string {
  return to === '/' ? '/console' : `/console${to}`;
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?=:|$)/;

/** `127.0.0.1:3000` for `http://localhost:3000`: browsers keep their cookies apart. */
function isTwinOf(baseUrl: string, host = ''): boolean {
  const own = new URL(baseUrl).host;
  const port = (text: string) => text.replace(LOOPBACK, '');
  return own !== host && LOOPBACK.test(own) && LOOPBACK.test(host) && port(own) === port(host);
}

function failWithoutIssuer(): never {
  return fail('NOT_FOUND', {
    message:
      'This installation has no issuer to sign in through: OIDC_ISSUER is not set. Sign in with a key.',
  });
}
