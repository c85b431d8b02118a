import { z } from 'zod';
import { userPath } from '#domain/externalId.js';
import { languageTags } from '#domain/languages.js';
import { created, noContent, type TypedAnswer } from '#kit/http/answer.js';
import { instant, pathText } from '#kit/http/query.js';
import { keyFor, type RouteTable, route } from '#kit/http/route.js';
import type { RecordLinks } from '#ledger/issuing/recordLinks.js';
import { subjectOf, type UserContext } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../serviceDeps.js';

const LinkBody = z
  .object({
    expiresInHours: z.int().min(1).max(720).default(72),
    language: z.enum(languageTags).optional(),
  })
  .meta({ id: 'RecordLinkRequest' });

type CreatedLink = z.output<typeof CreatedLink>;
const CreatedLink = z
  .object({
    recordLinkId: z.uuid(),
    url: z.url(),
    expiresAt: instant,
  })
  .meta({ id: 'RecordLink' });

const LinkPath = userPath.extend({ recordLinkId: pathText() });

/** Links with which subjects read their own record (RULES Z1). */
export function recordLinkRoutes(deps: RecordLinkDeps): RouteTable {
  const ofSubject = { access: keyFor('scores'), tag: 'Own record' };
  return {
    'POST /users/{id}/record-links': route({
      operationId: 'createRecordLink',
      ...ofSubject,
      params: userPath,
      idempotent: true,
      body: LinkBody,
      bodyOptional: true,
      answers: { 201: CreatedLink },
      errors: ['USER_NOT_FOUND', 'CONFLICT'],
      handle: (context) => createRecordLink(deps, context),
    }),
    'DELETE /users/{id}/record-links/{recordLinkId}': route({
      operationId: 'withdrawRecordLink',
      ...ofSubject,
      params: LinkPath,
      answers: { 204: null },
      errors: ['NOT_FOUND', 'USER_NOT_FOUND'],
      async handle(context) {
        const { owner, params } = context;
        const act = { ...owner, subjectId: subjectOf(context), recordLinkId: params.recordLinkId };
        await deps.db.transaction((tx) => deps.recordLinks.withdraw(tx, { ...act, now: deps.clock.now() }));
        return noContent();
      },
    }),
  };
}

type RecordLinkDeps = Pick<ServiceDeps, 'db' | 'clock' | 'withIdempotency'> & { recordLinks: RecordLinks };

/** POST /users/{id}/record-links. Only the same caller can replay the answer: it holds the token. */
function createRecordLink(
  { clock, withIdempotency, recordLinks }: RecordLinkDeps,
  context: UserContext<undefined, z.output<typeof LinkBody>>,
): Promise<TypedAnswer<201, CreatedLink>> {
  const { owner, body, claim } = context;
  const now = clock.now();
  const { platformId, livemode, actor } = owner;
  const { expiresInHours, language = null } = body;
  const act = { platformId, livemode, actor, subjectId: subjectOf(context), now, expiresInHours, language };
  return withIdempotency(claim, { now, isSecret: true }, async (tx) =>
    created(await recordLinks.create(tx, act)),
  );
}
