import { z } from 'zod';
import { fail, serviceError } from '#domain/errors.js';
import { userPath } from '#domain/externalId.js';
import { hashOfSecret } from '#kit/crypto.js';
import { PreparedTransactionsError, type Tx } from '#kit/db/database.js';
import { insertRow } from '#kit/db/rows.js';
import { created, ok, type TypedAnswer } from '#kit/http/answer.js';
import { instant } from '#kit/http/query.js';
import { type IdempotencyClaim, keyFor, type Owner, type RouteTable, route } from '#kit/http/route.js';
import { groupOfToken, newPublicToken } from '#kit/ids.js';
import { linkSubjects, unlinkSubject } from '#ledger/links/links.js';
import { refuseTestKey, subjectOf } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';

type LinkTokenMinted = z.output<typeof LinkTokenMinted>;
const LinkTokenMinted = z
  .object({
    linkToken: z.string(),
    expiresAt: instant,
  })
  .meta({ id: 'LinkToken' });

const LinkBody = z
  .object({
    linkToken: z.string().min(1).max(255),
  })
  .meta({ id: 'LinkRequest' });

export type Linked = z.output<typeof Linked>;
export const Linked = z
  .object({
    linked: z.literal(true),
    platforms: z.int().min(2),
  })
  .meta({ id: 'Linked' });

type Unlinked = z.output<typeof Unlinked>;
const Unlinked = z.object({ unlinked: z.literal(true) }).meta({ id: 'Unlinked' });

/** Links subjects across platforms, with the subject's consent (RULES L1). */
export function linkRoutes(deps: LinkDeps): RouteTable {
  const ofSubject = { access: keyFor('scores'), tag: 'Links', params: userPath };
  return {
    'POST /users/{id}/link-token': route({
      operationId: 'createLinkToken',
      ...ofSubject,
      idempotent: true,
      answers: { 201: LinkTokenMinted },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle(context) {
        refuseTestKey(context.caller);
        return mintLinkToken(deps, subjectOf(context), context.claim);
      },
    }),
    'POST /users/{id}/links': route({
      operationId: 'linkUser',
      ...ofSubject,
      idempotent: true,
      body: LinkBody,
      answers: { 201: Linked },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'LINK_TOKEN_INVALID', 'CONFLICT'],
      handle(context) {
        const { owner, body, claim } = context;
        refuseTestKey(context.caller);
        return linkUser(deps, owner, subjectOf(context), body.linkToken, claim);
      },
    }),
    'DELETE /users/{id}/links': route({
      operationId: 'unlinkUser',
      ...ofSubject,
      answers: { 200: Unlinked },
      errors: ['USER_NOT_FOUND', 'NOT_FOUND', 'TEST_MODE_NOT_ALLOWED'],
      async handle(context) {
        refuseTestKey(context.caller);
        return ok(await unlinkUser(deps, context.owner, subjectOf(context)));
      },
    }),
  };
}

const LIFETIME_MS = 15 * 60 * 1000;

/**
 * POST /users/{id}/link-token: valid for one link within 15 minutes. Returned once; the service
 * stores its hash.
 */
function mintLinkToken(
  { clock, withIdempotency }: Pick<ServiceDeps, 'clock' | 'withIdempotency'>,
  subjectId: string,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, LinkTokenMinted>> {
  const now = clock.now();
  return withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    await assertKnown(tx, subjectId);
    const linkToken = newPublicToken('lkt_', tx);
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    await insertRow(tx, 'link_token', { tokenHash: hashOfSecret(linkToken), subjectId, expiresAt });
    return created({ linkToken, expiresAt });
  });
}

type LinkDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'withIdempotency' | 'groupWakes'> & {
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

/** Throws USER_NOT_FOUND if the platform has reported nothing about the subject. */
async function assertKnown(tx: Tx, subjectId: string): Promise<void> {
  const rows = await tx.query('select 1 from subject where subject_id = $1', [subjectId]);
  if (rows.length === 0) fail('USER_NOT_FOUND');
}

/**
 * Uses up a token and returns its subject; null for an unknown, used or expired token. Waits for a
 * concurrent use; if that one is rolled back, the token is still valid.
 */
async function takeLinkToken(tx: Tx, tokenHash: Buffer, now: Date): Promise<string | null> {
  const [row] = await tx.query<{ subjectId: string }>(
    'delete from link_token where token_hash = $1 and expires_at > $2 returning subject_id',
    [tokenHash, now],
  );
  return row?.subjectId ?? null;
}
