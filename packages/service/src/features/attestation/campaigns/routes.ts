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
      query: CampaignQuery,
      answers: { 200: CampaignPage },
      handle: async ({ owner, query }) => ok(await listCampaigns(deps.db, owner, query, deps.clock.now())),
    }),
    'GET /activation/campaigns/{id}': route({
      operationId: 'readCampaign',
      ...own,
      params: campaignPath,
      answers: { 200: CampaignFunnel },
      errors: ['NOT_FOUND'],
      handle: async ({ owner, params }) =>
        ok(await readCampaign(deps.db, owner, params.id, deps.clock.now())),
    }),
  };
}
