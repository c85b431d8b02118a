import type { Clock } from '../../../kit/clock.js';
import { hashOfSecret, randomSecret } from '../../../kit/crypto.js';
import type { Database } from '../../../kit/db/database.js';
import { insertSignInLink } from './store.js';

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
