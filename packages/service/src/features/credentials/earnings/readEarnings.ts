import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { EarningsDeps } from './deps.js';
import { earningsAttestation, earningsSummary } from './earnings.js';
import { earningsWindowOf } from './earningsWindow.js';
import { loadEarnings } from './loadEarnings.js';
import type { EarningsQuery } from './schemas.js';

type Context = UserContext<z.output<typeof EarningsQuery>>;

/** GET /users/{id}/earnings */
export async function readEarnings({ db, clock }: EarningsDeps, context: Context): Promise<Answer> {
  const window = earningsWindowOf(context.query, clock.now());
  const { platforms, sums } = await loadEarnings(db, subjectOf(context), window);
  return ok({ userId: context.params.id, ...earningsAttestation(window, platforms, sums) });
}

/** GET /users/{id}/earnings/summary */
export async function readSummary({ db, clock }: EarningsDeps, context: Context): Promise<Answer> {
  const window = earningsWindowOf(context.query, clock.now());
  const { sums } = await loadEarnings(db, subjectOf(context), window);
  return ok({ userId: context.params.id, ...earningsSummary(window, sums) });
}
