import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { AttestationDeps } from '../attestations/kind.js';
import {
  CampaignBody,
  CampaignFunnel,
  CampaignPage,
  CampaignQuery,
  CampaignStarted,
  campaignPath,
} from './schemas.js';
import { startCampaign } from './startCampaign.js';
import { listCampaigns, readCampaign } from './store.js';

/** Many requests for confirmation under one name (RULES A12). */
export function campaignRoutes(deps: AttestationDeps): RouteTable {
  const own = { access: keyFor('events'), tag: 'Campaigns' };
  return {
    'POST /activation/campaigns': route({
      operationId: 'startCampaign',
      ...own,
      summary: 'Ask for the confirmation of up to 500 past outcomes',
      description:
        'Each valid row becomes a request for confirmation. Its `rowKey` identifies a row: a row sent again, in the same batch ' +
        'or later under the same `name`, is a `duplicate` and asks nobody twice. If no row of the batch is valid, the answer is ' +
        '400 `ACTIVATION_NO_VALID_ROWS` with the errors of each row in `details`, and nothing is stored.',
      plan: 'campaigns',
      idempotent: true,
      body: CampaignBody,
      itemsStandAlone: true,
      answers: { 201: CampaignStarted },
      errors: ['ACTIVATION_NO_VALID_ROWS', 'CONFLICT'],
      handle: (context) => startCampaign(deps, context),
    }),
    'GET /activation/campaigns': route({
      operationId: 'listCampaigns',
      ...own,
      summary: 'List campaigns with their counts by status',
      description:
        'The campaigns in the mode of the key, newest first. To find the requests that are still unanswered, list the ' +
        'confirmations of one campaign: `GET /confirmations?campaignId=…&status=PENDING`.',
      query: CampaignQuery,
      answers: { 200: CampaignPage },
      handle: async ({ owner, query }) => ok(await listCampaigns(deps.db, owner, query, deps.clock.now())),
    }),
    'GET /activation/campaigns/{id}': route({
      operationId: 'readCampaign',
      ...own,
      summary: 'Read the counts of a campaign by status',
      description:
        'How many requests the campaign has in all, and how many are confirmed, declined, cancelled, expired or pending. ' +
        'The requests themselves are listed at `/confirmations`.',
      params: campaignPath,
      answers: { 200: CampaignFunnel },
      errors: ['NOT_FOUND'],
      handle: async ({ owner, params }) =>
        ok(await readCampaign(deps.db, owner, params.id, deps.clock.now())),
    }),
  };
}
