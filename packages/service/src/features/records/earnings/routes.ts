import { userPath } from '../../../domain/externalId.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { answerWithCredential, type CredentialDeps } from '../../../ledger/issuing/answerWithCredential.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { earningsWindowOf } from './earningsWindow.js';
import { attestEarnings, readEarnings, readSummary } from './readEarnings.js';
import {
  Earnings,
  EarningsCredential,
  EarningsCredentialQuery,
  EarningsQuery,
  EarningsSummary,
} from './schemas.js';

export type EarningsRouteDeps = CredentialDeps & Pick<ServiceDeps, 'db'>;

/** Earnings follow from the ledger (RULES R7). They never influence a score. */
export function earningsRoutes(deps: EarningsRouteDeps): RouteTable {
  const ofSubject = { access: keyFor('scores'), tag: 'Earnings', params: userPath };
  return {
    'GET /users/{id}/earnings': route({
      operationId: 'readEarnings',
      ...ofSubject,
      query: EarningsQuery,
      answers: { 200: Earnings },
      errors: ['USER_NOT_FOUND'],
      handle: async (context) => ok(await readEarnings(deps, context)),
    }),
    'GET /users/{id}/earnings/summary': route({
      operationId: 'readEarningsSummary',
      ...ofSubject,
      query: EarningsQuery,
      answers: { 200: EarningsSummary },
      errors: ['USER_NOT_FOUND'],
      handle: async (context) => ok(await readSummary(deps, context)),
    }),
    'POST /users/{id}/earnings/credential': route({
      operationId: 'issueEarningsCredential',
      ...ofSubject,
      idempotent: true,
      query: EarningsCredentialQuery,
      answers: { 201: EarningsCredential },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle(context) {
        const window = earningsWindowOf(context.query, deps.clock.now());
        return answerWithCredential(deps, context, {
          attest: (tx, subjectId, now) => attestEarnings(tx, subjectId, window, now),
        });
      },
    }),
  };
}
