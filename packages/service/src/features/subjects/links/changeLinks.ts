import { fail, serviceError } from '../../../domain/errors.js';
import { hashOfSecret } from '../../../kit/crypto.js';
import { PreparedTransactionsError } from '../../../kit/db/database.js';
import { created, type TypedAnswer } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '../../../kit/http/route.js';
import { groupOfToken } from '../../../kit/ids.js';
import { linkSubjects, unlinkSubject } from '../../../ledger/links/links.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { Linked, Unlinked } from './schemas.js';
import { assertKnown, takeLinkToken } from './store.js';

export type LinkDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'withIdempotency' | 'groupWakes'> & {
  config: { velocityMaxPerHour: number };
};

/**
 * POST /users/{id}/links: the caller's subject joins the record of the token's subject. A refused
 * link leaves the token valid.
 */
export async function linkUser(
  deps: LinkDeps,
  { actor }: Owner,
  subjectId: string,
  linkToken: string,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, Linked>> {
  const { db, clock, ids, withIdempotency, groupWakes } = deps;
  const now = clock.now();
  const tokenHash = hashOfSecret(linkToken);
  const hostGroup = groupOfToken(linkToken);
  const changed = new Set([db.ledgers.own]);
  const answer = await explained(
    withIdempotency(claim, { now }, async (tx) => {
      await assertKnown(tx, subjectId);
      if (hostGroup === null || !db.ledgers.all.includes(hostGroup)) return fail('LINK_TOKEN_INVALID');
      const hostId = await tx.inLedger(hostGroup, (hostTx) => takeLinkToken(hostTx, tokenHash, now));
      if (hostId === null) return fail('LINK_TOKEN_INVALID');
      const own = { subjectId, group: db.ledgers.own };
      const host = { subjectId: hostId, group: hostGroup };
      const { platforms, groups } = await linkSubjects(tx, { ids, now, actor }, own, host);
      for (const group of groups) changed.add(group);
      return created({ linked: true, platforms });
    }),
  );
  for (const group of changed) groupWakes.get(group)?.raise('scores');
  return answer;
}

/** Names what the operator has to set where groups are on several servers. */
async function explained<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof PreparedTransactionsError)) throw error;
    throw serviceError('SERVICE_UNAVAILABLE', {
      message: `The two records are on different database servers: ${error.message}.`,
      cause: error,
    });
  }
}

/**
 * DELETE /users/{id}/links: the caller's subject leaves the shared record. Subjects of other
 * platforms stay in it.
 */
export async function unlinkUser(
  { config, db, clock, ids, groupWakes }: LinkDeps,
  { actor }: Owner,
  subjectId: string,
): Promise<Unlinked> {
  const { velocityMaxPerHour } = config;
  const now = clock.now();
  const changed = await explained(
    db.transaction(async (tx) => {
      await assertKnown(tx, subjectId);
      const act = { ids, now, actor, velocityMaxPerHour };
      return unlinkSubject(tx, act, { subjectId, group: db.ledgers.own });
    }),
  );
  for (const group of changed.groups) groupWakes.get(group)?.raise('scores');
  return { unlinked: true };
}
