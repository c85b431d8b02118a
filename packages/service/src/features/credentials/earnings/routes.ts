import { userPath } from '../../../domain/externalId.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { answerWithCredential, type CredentialDeps } from '../issuing/answerWithCredential.js';
import { earningsWindowOf } from './earningsWindow.js';
import { attestEarnings, readEarnings, readSummary } from './readEarnings.js';
import {
  Earnings,
  EarningsCredential,
  EarningsCredentialQuery,
  EarningsQuery,
  EarningsSummary,
} from './schemas.js';

/** Earnings follow from the ledger (RULES R7). They never influence a score. */
export function earningsRoutes(deps: CredentialDeps & Pick<ServiceDeps, 'db'>): RouteTable {
  const ofSubject = { access: keyFor('scores'), tag: 'Earnings', params: userPath };
  return {
    'GET /users/{id}/earnings': route({
      operationId: 'readEarnings',
      ...ofSubject,
      summary: 'Read attested earnings',
      description:
        'Per month, the values reported with verified, positive outcomes, in the month in which they happened. For a linked subject ' +
        'the answer covers the whole record, without the names of other platforms. An impossible window: 400.',
      query: EarningsQuery,
      answers: { 200: Earnings },
      errors: ['USER_NOT_FOUND'],
      handle: async (context) => ok(await readEarnings(deps, context)),
    }),
    'GET /users/{id}/earnings/summary': route({
      operationId: 'readEarningsSummary',
      ...ofSubject,
      summary: 'Read attested earnings in brief',
      description:
        'The figures of `/users/{id}/earnings` without the months: the verified total of the last twelve months, the monthly ' +
        'median, the verified share and how much the months differ. It is not an income verification, and it never moves a score.',
      query: EarningsQuery,
      answers: { 200: EarningsSummary },
      errors: ['USER_NOT_FOUND'],
      handle: async (context) => ok(await readSummary(deps, context)),
    }),
    'POST /users/{id}/earnings/credential': route({
      operationId: 'issueEarningsCredential',
      ...ofSubject,
      summary: 'Issue an earnings credential',
      description:
        'A signed W3C credential that attests the earnings of the window. It is issued under the share token of the subject, which is ' +
        'created if there is none. Withdrawing the token revokes the credential. Live subjects only.',
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
