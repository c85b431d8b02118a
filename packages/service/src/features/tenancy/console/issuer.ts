import type { Configuration, CustomFetchOptions } from 'openid-client';
import { parseNetworks } from '#kit/addressGuard.js';
import type { Clock } from '#kit/clock.js';
import { createOutboundFetch, OutboundError, type OutboundFetch } from '#kit/outboundFetch.js';
import type { ServiceDeps } from '../../serviceDeps.js';

/** What one sign-in sends to the issuer, and expects back. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** Why nobody was signed in; the console says it in words. */
export type SignInFailure =
  | 'unavailable' // the issuer does not answer
  | 'refused' // by the issuer, or its answer cannot be trusted
  | 'cancelled' // by the person, at the issuer
  | 'unverified' // the issuer does not say that the email address is theirs
  | 'unknown' // no user has the address
  | 'moved' // opened under another name of this machine than BASE_URL has: the cookie would be lost
  | 'expired'; // begun in another browser, too long ago, or finished already

/** `reason` is for the log of the operator, without anything that was sent. */
export class SignInError extends Error {
  constructor(
    readonly failure: SignInFailure,
    readonly reason: string,
  ) {
    super(failure);
  }
}

export interface Issuer {
  /** Shown to people. */
  readonly host: string;
  /** The address at the issuer to which the browser goes. Throws SignInError. */
  begin(attempt: Attempt): Promise<string>;
  /** @param answer the address to which the issuer sent the browser back. @returns the verified email address. Throws SignInError. */
  finish(answer: URL, attempt: Attempt): Promise<string>;
  close(): Promise<void>;
}

/** The operator configures the issuer, possibly on this machine. No caller can choose it. */
const EVERY_ADDRESS = parseNetworks('0.0.0.0/0, ::/0');
const TIMEOUT_MS = 5000;
/** Metadata, keys and tokens take a few kB. A longer answer is cut, and then not JSON. */
const MAX_ANSWER_BYTES = 128 * 1024;
const CONNECTIONS = 8;
/** The issuer may change its addresses. Its keys are looked up again when an unknown one signs. */
const METADATA_MS = 3_600_000;
const AUTHENTICATIONS = ['basic', 'post'] as const;
type Authentication = (typeof AUTHENTICATIONS)[number];

interface IssuerDeps extends NonNullable<ServiceDeps['config']['oidc']> {
  clock: Clock;
  redirectUri: string;
}

/**
 * Signs people in by OpenID Connect: authorisation code with PKCE, state and nonce, and a signed ID
 * token. Nothing is asked before somebody signs in: the service starts while the issuer is away.
 */
export function createIssuer({ issuer, clientId, clientSecret, redirectUri, clock }: IssuerDeps): Issuer {
  const { host, protocol } = new URL(issuer);
  const outbound = createOutboundFetch({ allowed: EVERY_ADDRESS, connectionsPerOrigin: CONNECTIONS });
  const known = new Map<Authentication, { config: Promise<Configuration>; untilMs: number }>();
  // Providers list both ways, and a client is registered for one.
  let accepted: Authentication = 'basic';

  return { host, begin, finish, close: () => outbound.close() };

  async function begin({ state, nonce, verifier }: Attempt): Promise<string> {
    const oidc = await import('openid-client');
    const config = await configFor(accepted);
    return oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid email',
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).href;
  }

  async function finish(answer: URL, attempt: Attempt): Promise<string> {
    const first = accepted;
    try {
      return await emailFrom(answer, attempt, first);
    } catch (error) {
      const other = AUTHENTICATIONS.find((each) => each !== first);
      if (!other || codeOf(error) !== 'invalid_client') throw failureOf(error);
      return await emailFrom(answer, attempt, other).catch((again: unknown) => {
        throw failureOf(again);
      });
    }
  }

  async function emailFrom(answer: URL, attempt: Attempt, by: Authentication): Promise<string> {
    const oidc = await import('openid-client');
    const config = await configFor(by);
    const tokens = await oidc.authorizationCodeGrant(config, answer, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    });
    accepted = by;
    const claims = tokens.claims();
    if (!claims) throw new SignInError('refused', 'no ID token');
    const inToken = saidOf(claims, host);
    // Many providers put the address into the second answer alone.
    const said =
      inToken.isStated || !config.serverMetadata().userinfo_endpoint
        ? inToken
        : saidOf(await oidc.fetchUserInfo(config, tokens.access_token, claims.sub), host);
    if (said.email === null) throw new SignInError('unverified', 'no verified email address');
    return said.email;
  }

  function configFor(by: Authentication): Promise<Configuration> {
    const nowMs = clock.now().getTime();
    const last = known.get(by);
    if (last && last.untilMs > nowMs) return last.config;
    const config = discover(by);
    const entry = { config, untilMs: nowMs + METADATA_MS };
    known.set(by, entry);
    config.catch(() => known.get(by) === entry && known.delete(by));
    return config;
  }

  async function discover(by: Authentication): Promise<Configuration> {
    const oidc = await import('openid-client');
    const { ClientSecretBasic, ClientSecretPost } = oidc;
    const authenticate = (by === 'basic' ? ClientSecretBasic : ClientSecretPost)(clientSecret);
    try {
      return await oidc.discovery(new URL(issuer), clientId, undefined, authenticate, {
        [oidc.customFetch]: (url, options) => fetchBounded(outbound, url, options),
        timeout: TIMEOUT_MS / 1000,
        // The signature of the ID token is checked, too, although it comes from the issuer directly.
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
        ],
      });
    } catch (error) {
      throw new SignInError('unavailable', reasonOf(error));
    }
  }
}

async function fetchBounded(
  outbound: OutboundFetch,
  url: string,
  { method, headers, body, signal }: CustomFetchOptions,
): Promise<Response> {
  const answer = await outbound.send({
    url,
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    body: body === null || body === undefined ? undefined : String(body),
    timeoutMs: TIMEOUT_MS,
    keepBytes: MAX_ANSWER_BYTES,
    signal,
  });
  return new Response(answer.text === '' ? null : answer.text, {
    status: answer.status,
    headers: { 'content-type': answer.headers['content-type'] ?? '' },
  });
}

/** Kept as ASCII: other letters become ASCII ones in lower case, such as the sign for kelvin. */
const EMAIL = /^[\x21-\x7e]{3,254}$/;

type Claims = Readonly<Record<string, unknown>>;

/**
 * The address, if the issuer says that it is verified. Microsoft Entra ID never says so of accounts of
 * an organisation: it says whether the domain is verified, and whether the account is of its tenant.
 */
function saidOf({ email, email_verified, xms_edov }: Claims, host: string) {
  const isEntra = host === 'login.microsoftonline.com' && email_verified === undefined;
  const stated = isEntra ? xms_edov : email_verified;
  const isVerified = stated === true || stated === 'true' || (isEntra && (stated === 1 || stated === '1'));
  return {
    isStated: email !== undefined && stated !== undefined,
    email: isVerified && typeof email === 'string' && EMAIL.test(email) ? email.toLowerCase() : null,
  };
}

/** The person refused at the issuer, and everything else that an answer can be. */
function failureOf(error: unknown): SignInError {
  if (error instanceof SignInError) return error;
  if (isOutage(error)) return new SignInError('unavailable', reasonOf(error));
  return new SignInError(codeOf(error) === 'access_denied' ? 'cancelled' : 'refused', reasonOf(error));
}

function isOutage(error: unknown): boolean {
  return error instanceof OutboundError || (error instanceof Error && isOutage(error.cause));
}

/** An OAuth error such as `invalid_grant`. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'error' in error ? String(error.error) : '';
}

const CODE = /^[\w.-]{1,64}$/;

/** A code, never a text of the issuer: it may quote what was sent. */
function reasonOf(error: unknown): string {
  if (error instanceof OutboundError) return error.reason;
  if (!(error instanceof Error)) return 'unexpected';
  const code = codeOf(error) || ('code' in error ? String(error.code) : '');
  const own = CODE.test(code) ? code : error.name;
  return isOutage(error.cause) ? reasonOf(error.cause) : own;
}
