import { userPath } from '#domain/externalId.js';
import type { TextModel } from '#kit/ai.js';
import type { Database } from '#kit/db/database.js';
import { ok } from '#kit/http/answer.js';
import { keyFor, type RouteTable, route } from '#kit/http/route.js';
import { createNarrate } from './narrate.js';
import { readTrustSummary } from './readTrustSummary.js';
import { TrustQuery, TrustSummary } from './schemas.js';

interface TrustDeps {
  db: Database;
  /** Null if the operator has configured none. */
  ai: TextModel | null;
}

/** A score for people. */
export function trustRoutes({ db, ai }: TrustDeps): RouteTable {
  const deps = { db, narrate: createNarrate(ai) };
  return {
    'GET /users/{id}/trust-summary': route({
      operationId: 'readTrustSummary',
      access: keyFor('scores'),
      tag: 'Scores',
      params: userPath,
      query: TrustQuery,
      errors: ['USER_NOT_FOUND'],
      answers: { 200: TrustSummary },
      handle: async (context) => ok(await readTrustSummary(deps, context)),
    }),
  };
}
