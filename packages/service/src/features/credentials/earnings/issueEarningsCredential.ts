import type { z } from 'zod';
import type { Answer } from '../../../kit/http/answer.js';
import type { UserContext } from '../../../ledger/requests/userContext.js';
import { answerWithCredential } from '../issuing/answerWithCredential.js';
import type { EarningsDeps } from './deps.js';
import { attestEarnings } from './earningsClaims.js';
import { earningsWindowOf } from './earningsWindow.js';
import type { EarningsCredentialQuery } from './schemas.js';

/** POST /users/{id}/earnings/credential. A window that is none is refused before anything is minted. */
export async function issueEarningsCredential(
  deps: EarningsDeps,
  context: UserContext<z.output<typeof EarningsCredentialQuery>>,
): Promise<Answer> {
  const window = earningsWindowOf(context.query, deps.clock.now());
  return answerWithCredential(deps, context, {
    attest: (tx, subjectId, now) => attestEarnings(tx, subjectId, window, now),
  });
}
