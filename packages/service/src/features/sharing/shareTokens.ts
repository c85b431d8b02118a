import { z } from 'zod';
import { platformOfSubject, userPath } from '#domain/externalId.js';
import { created, ok, type TypedAnswer } from '#kit/http/answer.js';
import { instant } from '#kit/http/query.js';
import { keyFor, type OperatorCaller, operator, type RouteTable, route } from '#kit/http/route.js';
import type { ShareAct, ShareTokens } from '#ledger/issuing/shareTokens.js';
import {
  addressedSubjectId,
  refuseTestKey,
  subjectOf,
  type UserContext,
} from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../serviceDeps.js';

const ShareBody = z
  .object({
    includeProfile: z.boolean().optional(),
  })
  .meta({ id: 'ShareTokenRequest' });

type MintedShareToken = z.output<typeof MintedShareToken>;
const MintedShareToken = z
  .object({
    shareToken: z.string(),
    verifyUrl: z.url(),
    badgeUrl: z.url(),
    includeProfile: z.boolean(),
    createdAt: instant,
  })
  .meta({ id: 'ShareToken' });

type WithdrawnShareToken = z.output<typeof WithdrawnShareToken>;
const WithdrawnShareToken = z
  .object({
    revoked: z.literal(true),
    alreadyRevoked: z.boolean(),
  })
  .meta({ id: 'ShareTokenWithdrawn' });

const OperatorShareQuery = z.object({ platformId: platformOfSubject });

/** Tokens with which anonymous callers can read the record of a subject (RULES C1). */
export function shareTokenRoutes(deps: ShareTokenDeps): RouteTable {
  const ofSubject = { access: keyFor('scores'), tag: 'Sharing', params: userPath };
  return {
    'POST /users/{id}/share-token': route({
      operationId: 'createShareToken',
      ...ofSubject,
      idempotent: true,
      body: ShareBody,
      bodyOptional: true,
      answers: { 201: MintedShareToken },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle: (context) => mintShareToken(deps, context),
    }),
    'DELETE /users/{id}/share-token': route({
      operationId: 'withdrawShareToken',
      ...ofSubject,
      answers: { 200: WithdrawnShareToken },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED'],
      handle: async (context) => ok(await withdrawShareToken(deps, context)),
    }),
    'DELETE /admin/users/{id}/share-token': route({
      operationId: 'adminWithdrawShareToken',
      access: operator,
      tag: 'Operator',
      params: userPath,
      query: OperatorShareQuery,
      groupOf: ({ params, query }, directory) =>
        directory.ofSubject(addressedSubjectId({ ...query, id: params.id, livemode: true })),
      answers: { 200: WithdrawnShareToken },
      errors: ['USER_NOT_FOUND'],
      handle: async ({ caller, params, query }) =>
        ok(await withdrawAsOperator(deps, params.id, query, caller)),
    }),
  };
}

type ShareTokenDeps = Pick<ServiceDeps, 'db' | 'clock' | 'withIdempotency'> & {
  shareTokens: ShareTokens;
};

/**
 * POST /users/{id}/share-token: the active token, or a new one. Only the same caller can replay the
 * answer.
 */
async function mintShareToken(
  { clock, withIdempotency, shareTokens }: ShareTokenDeps,
  context: UserContext<undefined, z.output<typeof ShareBody>>,
): Promise<TypedAnswer<201, MintedShareToken>> {
  const { caller, owner, body, claim } = context;
  refuseTestKey(caller);
  const now = clock.now();
  const act = { subjectId: subjectOf(context), actor: owner.actor, now };
  return withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const share = await shareTokens.ensure(tx, act, body.includeProfile);
    const { token: shareToken, verifyUrl, badgeUrl, includeProfile, createdAt } = share;
    return created({ shareToken, verifyUrl, badgeUrl, includeProfile, createdAt });
  });
}

/** DELETE /users/{id}/share-token */
async function withdrawShareToken(deps: ShareTokenDeps, context: UserContext): Promise<WithdrawnShareToken> {
  refuseTestKey(context.caller);
  return withdraw(deps, { subjectId: subjectOf(context), actor: context.owner.actor });
}

/** DELETE /admin/users/{id}/share-token: the operator never sees the token. */
async function withdrawAsOperator(
  deps: ShareTokenDeps,
  id: string,
  { platformId }: z.output<typeof OperatorShareQuery>,
  { actor }: OperatorCaller,
): Promise<WithdrawnShareToken> {
  return withdraw(deps, {
    subjectId: addressedSubjectId({ id, platformId, livemode: true }),
    actor,
  });
}

async function withdraw(
  { db, clock, shareTokens }: ShareTokenDeps,
  act: Omit<ShareAct, 'now'>,
): Promise<WithdrawnShareToken> {
  const now = clock.now();
  const wasActive = await db.transaction((tx) => shareTokens.withdraw(tx, { ...act, now }));
  return { revoked: true, alreadyRevoked: !wasActive };
}
