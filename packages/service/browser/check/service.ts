import {
  fromBase64,
  type Pause,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  utf8,
  type VerifierKey,
  verifyByWebCrypto,
  verifyConsistency,
} from '@reliability/proof';
import { fill } from '../../src/domain/fill.js';
import { NotCheckable } from './outcome.js';
import type { Texts } from './texts.js';

/** The service that shows this page. Nothing that is checked is sent to it. */
export interface Service {
  /** Its address, as its credentials name it. */
  baseUrl: string;
  did: string;
  /** Name of its log. */
  origin: string;
  texts: Texts;
  /** Shows how far a check is, and gives the processor away. */
  pause?: Pause;
  /** Reads a public document of the service by its path. */
  read(path: string): Promise<Response>;
}

/** Reads a public document of the service. Throws NotCheckable. */
export async function readPublic({ texts, read }: Service, path: string): Promise<Response> {
  let response: Response;
  try {
    response = await read(path);
  } catch (error) {
    throw error instanceof NotCheckable ? error : new NotCheckable(texts.unreachable);
  }
  if (response.ok) return response;
  throw new NotCheckable(fill(texts.refused, { path, status: response.status }));
}

export interface PublishedKey {
  id: string;
  publicKeyJwk?: { kty: string; crv: string; x: string };
}

/** Verifies a compact JWT with the published key that its header names. Null: no such key. */
export async function isSignedBy(jwt: Jwt, keys: readonly PublishedKey[]): Promise<boolean | null> {
  const jwk = keys.find(({ id, publicKeyJwk }) => publicKeyJwk && id === jwt.header.kid)?.publicKeyJwk;
  if (jwk?.crv !== 'Ed25519' || !['EdDSA', 'Ed25519'].includes(String(jwt.header.alg))) return null;
  return verifyByWebCrypto(fromBase64Url(jwk.x), utf8(jwt.signedText), jwt.signature);
}

export interface Jwt {
  header: Record<string, unknown>;
  payload: Record<string, unknown>;
  signedText: string;
  signature: Uint8Array;
}

/** Null: not a compact JWT. */
export function parseJwt(text: string): Jwt | null {
  const [, header = '', payload = '', signature = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(text) ?? [];
  try {
    return {
      header: jsonIn(header),
      payload: jsonIn(payload),
      signedText: `${header}.${payload}`,
      signature: fromBase64Url(signature),
    };
  } catch {
    return null;
  }
}

/** Answers of the API contain credentials in a field. */
export function credentialIn(value: unknown): Jwt | null {
  const { credential, credentials } = (value ?? {}) as {
    credential?: unknown;
    credentials?: { credential?: unknown }[];
  };
  const text = credential ?? credentials?.[0]?.credential;
  return typeof text === 'string' ? parseJwt(text) : null;
}

function jsonIn(part: string): Record<string, unknown> {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(fromBase64Url(part)));
}

/** Throws for other characters. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const padded = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .padEnd(Math.ceil(text.length / 4) * 4, '=');
  const bytes = fromBase64(padded);
  if (!bytes) throw new TypeError('not base64url');
  return Uint8Array.from(bytes);
}

interface LogKeys {
  origin: string;
  vkey: string;
  retiredKeys?: string[];
  witnesses?: string[];
}

/**
 * The keys of the log, the present one first, then those of the logs of other ledger groups. And the keys
 * of the witnesses of the log with this name.
 */
export async function readLog(
  service: Service,
  name: string,
): Promise<{ logKeys: VerifierKey[]; witnesses: VerifierKey[] }> {
  const response = await readPublic(service, '.well-known/ledger-log.json');
  const { otherLogs = [], ...first } = (await response.json()) as LogKeys & { otherLogs?: LogKeys[] };
  const logs = [first, ...otherLogs];
  const { witnesses = [] } = logs.find(({ origin }) => origin === name) ?? {};
  return {
    logKeys: logs.flatMap(({ vkey, retiredKeys = [] }) => [vkey, ...retiredKeys]).map(parseVerifierKey),
    witnesses: witnesses.map(parseVerifierKey),
  };
}

/** Whether a log is of this service: `host/log`, or `host/log/g1` for a ledger group. */
export function isOwnLog({ origin }: Service, name: string): boolean {
  return (
    name === origin ||
    (name.startsWith(`${origin}/g`) && /^[1-9]\d{0,2}$/.test(name.slice(origin.length + 2)))
  );
}

/** The present checkpoint of the log with this name, and the proof that it continues one of `size` leaves. */
export async function readPresent(
  service: Service,
  name: string,
  size: number,
): Promise<{ checkpoint: string; size: number; consistency: string[] | null }> {
  const log = name.slice(name.indexOf('/') + 1);
  const checkpoint = await (await readPublic(service, `${log}/checkpoint`)).text();
  const present = parseCheckpoint(parseNote(checkpoint).text);
  if (present.size < size) return { checkpoint, size: present.size, consistency: null };
  const path = `${log}/consistency?from=${size}&to=${present.size}`;
  const { proof } = (await (await readPublic(service, path)).json()) as { proof: string[] };
  return { checkpoint, size: present.size, consistency: proof };
}

interface Head {
  size: number;
  root: Uint8Array;
}

/** Whether the log of `older` is the beginning of that of `newer`. */
export function continues(older: Head, newer: Head, consistency: readonly string[]): boolean {
  const proof = consistency.map((hash) => fromBase64(hash) ?? new Uint8Array());
  return verifyConsistency({
    from: older.size,
    to: newer.size,
    fromRoot: older.root,
    toRoot: newer.root,
    proof,
  });
}
