import { userPath } from '../../../domain/externalId.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { EarningsDeps } from './deps.js';
import { issueEarningsCredential } from './issueEarningsCredential.js';
import { readEarnings, readSummary } from './readEarnings.js';
import {
  EarningsAnswer,
  EarningsCredentialIssued,
  EarningsCredentialQuery,
  EarningsQuery,
  EarningsSummaryAnswer,
} from './schemas.js';

/** What outcomes were worth (RULES R7). It is read from the ledger and leads nowhere: no score knows of it. */
export function earningsRoutes(deps: EarningsDeps): RouteTable {
  const ofSubject = { access: keyFor('scores'), tag: 'Earnings', params: userPath };
  return {
    'GET /users/{id}/earnings': route({
      operationId: 'readEarnings',
      ...ofSubject,
      summary: 'Read attested earnings',
      description:
        'Month by month, the values reported with verified, positive outcomes, in the month in which they happened. A linked subject ' +
        'shows its whole record; other platforms stay nameless. An impossible window: 400.',
      query: EarningsQuery,
      answers: { 200: EarningsAnswer },
      errors: ['USER_NOT_FOUND'],
      handle: (context) => readEarnings(deps, context),
    }),
    'GET /users/{id}/earnings/summary': route({
      operationId: 'readEarningsSummary',
      ...ofSubject,
      summary: 'Read attested earnings in brief',
      description:
        'The figures of `/users/{id}/earnings` without the months: the verified total of the last twelve months, ' +
        'the monthly median, the verified share and how much the months differ. It is no income verification, and ' +
        'it never moves a score.',
      query: EarningsQuery,
      answers: { 200: EarningsSummaryAnswer },
      errors: ['USER_NOT_FOUND'],
      handle: (context) => readSummary(deps, context),
    }),
    'POST /users/{id}/earnings/credential': route({
      operationId: 'issueEarningsCredential',
      ...ofSubject,
      summary: 'Issue an earnings credential',
      description:
        'A signed W3C credential that attests the earnings of the window to whoever it is shown to. It is under the share token of the ' +
        'subject, minted where it has none: withdrawn, the credential counts as revoked. Live subjects only.',
      idempotent: true,
      query: EarningsCredentialQuery,
      answers: { 201: EarningsCredentialIssued },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle: (context) => issueEarningsCredential(deps, context),
    }),
  };
}
