import { userPath } from '../../../domain/externalId.js';
import type { TextModel } from '../../../kit/ai.js';
import type { Database } from '../../../kit/db/database.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { createNarrate } from './narrate.js';
import { readTrustSummary } from './readTrustSummary.js';
import { TrustQuery, TrustSummary } from './schemas.js';

interface TrustDeps {
  db: Database;
  /** Null where the operator has set up none. */
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
      summary: 'Read a score in plain words',
      description:
        'What the score is, what speaks for it and what holds it down. It describes and decides nothing. `narrative=1` adds a ' +
        'retelling by an AI where the operator has set one up: advisory, and null whenever the AI is away, slow or unfit to show.',
      params: userPath,
      query: TrustQuery,
      errors: ['USER_NOT_FOUND'],
      answers: { 200: TrustSummary },
      handle: (context) => readTrustSummary(deps, context),
    }),
  };
}
