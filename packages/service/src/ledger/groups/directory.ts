import { hashOfSecret } from '../../kit/crypto.js';
import type { Database, Tx } from '../../kit/db/database.js';
import type { GroupDirectory } from '../../kit/http/route.js';
import { findTokenGroup, hasSubject, insertTokens } from './store.js';

/**
 * Lists new public tokens, in the transaction that creates them. Tokens of group 0 need no entry, so
 * a database with one group writes none.
 * @param expiresAt null: a token that does not expire.
 */
export async function listTokens(
  tx: Tx,
  tokenHashes: readonly Buffer[],
  expiresAt: Date | null,
): Promise<void> {
  if (tx.group !== 0) await insertTokens(tx, tokenHashes, expiresAt);
}

export function createDirectory(groups: () => readonly Database[]): GroupDirectory {
  return {
    async ofToken(token) {
      const [first] = groups();
      if (typeof token !== 'string' || !first) return 0;
      return findTokenGroup(first, hashOfSecret(token));
    },
    async ofSubject(subjectId) {
      const found = await Promise.all(groups().map((db) => hasSubject(db, subjectId)));
      return Math.max(0, found.indexOf(true));
    },
  };
}
