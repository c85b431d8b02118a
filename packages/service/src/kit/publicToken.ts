import { randomBytes, randomUUID } from 'node:crypto';

/*
 * A public token is sent without a key, so it names the ledger group that knows it: in its first 12
 * bits, behind the prefix. All others are random: 244 of 32 bytes, 180 of 24, 110 of a UUID.
 */

const GROUP_BITS = 12;

/** A handle of the group that knows the token. */
interface MakesTokens {
  readonly ledgers: { readonly own: number };
}

/** Random bytes (default: 32) as base64url, after the prefix: lower-case letters and `_`. */
export function newPublicToken(prefix: `${string}_`, { ledgers }: MakesTokens, bytes = 32): string {
  const random = randomBytes(bytes);
  random.writeUInt16BE((ledgers.own << 4) | (random.readUInt16BE() & 15));
  return prefix + random.toString('base64url');
}

/** The same as a UUID. */
export function newPublicId({ ledgers }: MakesTokens): string {
  return ledgers.own.toString(16).padStart(GROUP_BITS / 4, '0') + randomUUID().slice(GROUP_BITS / 4);
}

const TOKEN = /^[a-z]{2,4}_([\w-]{4})/;
const ID = /^([0-9a-f]{3})[0-9a-f]{5}-/i;

/** The group of a public token or id. It may not exist. Null: the text is neither. */
export function groupOfToken(token: unknown): number | null {
  if (typeof token !== 'string') return null;
  const [, digits] = TOKEN.exec(token) ?? [];
  if (digits !== undefined) return Buffer.from(digits, 'base64url').readUInt16BE() >> 4;
  const [, hex] = ID.exec(token) ?? [];
  return hex === undefined ? null : Number.parseInt(hex, 16);
}
