import type { z } from 'zod';
import { earningsWindowOf } from '../../domain/earningsWindow.js';
import type { Answer } from '../../kit/http/answer.js';
import { answerWithCredential } from '../../ledger/credentials/answerWithCredential.js';
import type { UserContext } from '../../ledger/userContext.js';
import { attestEarnings } from './earningsClaims.js';
import type { EarningsParts } from './parts.js';
import type { EarningsCredentialQuery } from './schemas.js';

/** POST /users/{id}/earnings/credential. A window that is none is refused before anything is minted. */
export async function issueEarningsCredential(
  parts: EarningsParts,
  context: UserContext<z.output<typeof EarningsCredentialQuery>>,
): Promise<Answer> {
  const window = earningsWindowOf(context.query, parts.clock.now());
  return answerWithCredential(parts, context, {
    attest: (tx, subjectId, now) => attestEarnings(tx, subjectId, window, now),
  });
}
