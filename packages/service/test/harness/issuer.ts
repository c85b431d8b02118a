import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { freePort } from './freePort.js';

export const CLIENT = { id: 'reliability', secret: 'secret-of-the-tests-at-the-issuer' };

/** What an issuer says of somebody who signs in with this name. */
export type Person = { email?: string; email_verified?: unknown };

export interface TestIssuer {
  url: string;
  /** By the name that they type. */
  people: Map<string, Person>;
  close(): Promise<void>;
}

/** The settings with which a service at the address uses the issuer. */
export function issuerEnv(issuer: string, port: number) {
  return {
    BASE_URL: `http://127.0.0.1:${port}`,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
  };
}

/**
 * A certified OpenID provider on this machine, whose form takes any password.
 * @param ports of the services that people sign in to.
 */
export async function startIssuer(
  ports: readonly number[],
  { authentication = 'client_secret_basic', port: given = 0 } = {},
): Promise<TestIssuer> {
  const port = given || (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const people = new Map<string, Person>();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        token_endpoint_auth_method: authentication,
        redirect_uris: ports.map((each) => `http://127.0.0.1:${each}/console/sign-in/callback`),
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['of the tests'] },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    pkce: { required: () => true },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...people.get(sub) }),
    }),
  });
  const server = await listening(provider.callback(), port);
  return { url, people, close: () => closed(server) };
}

/** What a dishonest issuer does to the ID token and its answers. */
export interface Faults {
  claims?: Record<string, unknown>;
  /** Signs with a key that it does not publish. */
  foreignKey?: true;
  unsigned?: true;
  /** The `iss` beside the code. */
  iss?: string;
  /** Before the answer of the token endpoint. */
  delayMs?: number;
  /** In place of the JSON of the token endpoint. */
  tokens?: string;
}

/** An issuer that signs everybody in at once, and tests change what it says. */
export async function startFaultyIssuer() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const faults: { current: Faults } = { current: {} };
  const [own, foreign] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  const nonces = new Map<string, string>();
  const json = (value: unknown) => ({ type: 'application/json', body: JSON.stringify(value) });

  async function tokens(code: string): Promise<string> {
    const { claims, foreignKey, unsigned } = faults.current;
    const now = Math.floor(Date.now() / 1000);
    const said = {
      iss: url,
      aud: CLIENT.id,
      sub: 'ada',
      iat: now,
      exp: now + 60,
      nonce: nonces.get(code),
      ...claims,
    };
    const idToken = unsigned
      ? `${encoded({ alg: 'none' })}.${encoded(said)}.`
      : await new SignJWT(said)
          .setProtectedHeader({ alg: 'ES256', kid: 'one' })
          .sign((foreignKey ? foreign : own).privateKey);
    return JSON.stringify({ access_token: 'a', token_type: 'Bearer', id_token: idToken });
  }

  const server = await listening(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    if (pathname === '/authorize') {
      const code = randomUUID();
      nonces.set(code, searchParams.get('nonce') ?? '');
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      const given = { code, state: searchParams.get('state') ?? '', iss: faults.current.iss ?? url };
      for (const [name, value] of Object.entries(given)) back.searchParams.set(name, value);
      response.writeHead(302, { Location: back.href }).end();
      return;
    }
    let text = '';
    for await (const part of request) text += part;
    const answers: Record<string, () => Promise<{ type: string; body: string }>> = {
      '/.well-known/openid-configuration': async () =>
        json({
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          jwks_uri: `${url}/jwks`,
          id_token_signing_alg_values_supported: ['ES256'],
          authorization_response_iss_parameter_supported: true,
        }),
      '/jwks': async () =>
        json({ keys: [{ ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }] }),
      '/token': async () => {
        await new Promise((resolve) => setTimeout(resolve, faults.current.delayMs ?? 0));
        const code = new URLSearchParams(text).get('code') ?? '';
        return { type: 'application/json', body: faults.current.tokens ?? (await tokens(code)) };
      },
    };
    const answer = await answers[pathname]?.();
    response
      .writeHead(answer ? 200 : 404, { 'Content-Type': answer?.type ?? 'text/plain' })
      .end(answer?.body);
  }, port);
  return { url, faults, close: () => closed(server) };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function listening(handle: RequestListener, port: number): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer(handle).listen(port, '127.0.0.1', () => resolve(server));
  });
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
