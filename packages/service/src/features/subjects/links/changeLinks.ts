import { fail } from '../../../domain/errors.js';
import { hashOfSecret } from '../../../kit/crypto.js';
import { created, type TypedAnswer } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '../../../kit/http/route.js';
import { linkSubjects, unlinkSubject } from '../../../ledger/links/links.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { Linked, Unlinked } from './schemas.js';
import { assertKnown, hasLinkToken, takeLinkToken } from './store.js';

export type LinkDeps = Pick<ServiceDeps, 'db' | 'groups' | 'clock' | 'ids' | 'withIdempotency' | 'signal'> & {
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
  const { clock, ids, withIdempotency, signal } = deps;
  const now = clock.now();
  await refuseOtherGroup(deps, linkToken, now);
  const answer = await withIdempotency(claim, { now }, async (tx) => {
    await assertKnown(tx, subjectId);
    const hostId = await takeLinkToken(tx, hashOfSecret(linkToken), now);
    if (hostId === null) return fail('LINK_TOKEN_INVALID');
    const platforms = await linkSubjects(tx, { ids, now, actor }, subjectId, hostId);
    return created({ linked: true, platforms });
  });
  signal.queued();
  return answer;
}

/** A record lives in one ledger group. */
async function refuseOtherGroup({ db, groups }: LinkDeps, linkToken: string, now: Date): Promise<void> {
  for (const other of groups()) {
    if (other.group === db.group || !(await hasLinkToken(other, hashOfSecret(linkToken), now))) continue;
    fail('CONFLICT', {
      message:
        'The other platform is in another ledger group of this installation, and a record cannot span groups. ' +
        'The operator chooses the groups of platforms.',
    });
  }
}

/**
 * DELETE /users/{id}/links: the caller's subject leaves the shared record. Subjects of other
 * platforms stay in it.
 */
export async function unlinkUser(
  { config, db, clock, ids, signal }: LinkDeps,
  { actor }: Owner,
  subjectId: string,
): Promise<Unlinked> {
  const { velocityMaxPerHour } = config;
  const now = clock.now();
  await db.transaction(async (tx) => {
    await assertKnown(tx, subjectId);
    await unlinkSubject(tx, { ids, now, actor, velocityMaxPerHour }, subjectId);
  });
  signal.queued();
  return { unlinked: true };
}
