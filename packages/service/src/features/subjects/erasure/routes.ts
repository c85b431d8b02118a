import { z } from 'zod';
import { userPath } from '#domain/externalId.js';
import { ok } from '#kit/http/answer.js';
import { instant } from '#kit/http/query.js';
import { keyOrOperatorFor, type RouteTable, route } from '#kit/http/route.js';
import { type EndDisputes, eraseSubject } from '#ledger/erasure/eraseSubject.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import type { ServiceDeps } from '../../serviceDeps.js';

export type ErasureDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'vault' | 'erased' | 'wakes'> & {
  lapseErased: EndDisputes;
};

const Erasure = z
  .object({
    userId: z.string(),
    erased: z.literal(true),
    at: instant,
  })
  .meta({ id: 'Erasure' });

/** The end of everything that is known about a person (RULES P10). */
export function erasureRoutes(deps: ErasureDeps): RouteTable {
  return {
    'POST /users/{id}/erasure': route({
      operationId: 'eraseUser',
      access: keyOrOperatorFor('admin'),
      tag: 'Users',
      answersErased: true,
      params: userPath,
      answers: { 200: Erasure },
      errors: ['USER_NOT_FOUND'],
      async handle({ owner, params }) {
        const { platformId, livemode, actor } = owner;
        const externalId = params.id;
        const subjectId = subjectIdOf(platformId, livemode, externalId);
        const source = { subjectId, platformId, livemode, externalId };
        const now = deps.clock.now();
        const at = await deps.db.transaction((tx) => eraseSubject(tx, deps, { ...source, actor, now }));
        await deps.erased.changed();
        deps.wakes.raise('jobs', 'scores', 'facts');
        return ok({ userId: externalId, erased: true as const, at });
      },
    }),
  };
}
