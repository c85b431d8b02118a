import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { newestPage, newestPositionOf } from '../../../ledger/reads/newestPage.js';
import type { ConfirmationDeps } from '../confirmations/deps.js';
import type { CampaignQuery } from './schemas.js';
import { countFunnels, findCampaigns } from './store.js';

/**
 * GET /activation/campaigns: those of the key's mode, newest first, each with its funnel as it is
 * now.
 */
export async function listCampaigns(
  { db, clock }: Pick<ConfirmationDeps, 'db' | 'clock'>,
  { caller, query }: RequestContext<KeyAccess, undefined, z.output<typeof CampaignQuery>, undefined>,
): Promise<Answer> {
  const { limit } = query;
  const { rows, nextCursor } = await newestPage(limit, newestPositionOf(query.cursor), (position) =>
    findCampaigns(db, caller, position, limit + 1),
  );
  const ids = rows.map(({ id }) => id);
  const funnels = await countFunnels(db, caller, ids, clock.now());
  const campaigns = rows.map(({ id, name, createdAt }) => ({ id, name, createdAt, funnel: funnels.get(id) }));
  return ok({ campaigns, nextCursor });
}
