import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { isUuid } from '../../../kit/ids.js';
import type { ConfirmationDeps } from '../confirmations/deps.js';
import type { Owner } from '../confirmations/store.js';
import { countFunnels, findCampaign } from './store.js';

/** GET /activation/campaigns/{id}: the funnel, counted from the requests as they stand now. */
export async function readCampaign(
  { db, clock }: Pick<ConfirmationDeps, 'db' | 'clock'>,
  owner: Owner,
  id: string,
): Promise<Answer> {
  const campaign = isUuid(id) ? await findCampaign(db, owner, id) : null;
  if (!campaign) return fail('NOT_FOUND', { message: 'There is no campaign with this id.' });
  const funnels = await countFunnels(db, owner, [campaign.id], clock.now());
  return ok({ campaign, funnel: funnels.get(campaign.id) });
}
