import { type Answer, created } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { askerOf } from '../attestations/answerEvidence.js';
import { draftOf, handedOut, recordOf, writeDrafts } from '../attestations/drafts.js';
import { readConfirmationRequest } from './confirmationRequest.js';
import type { ConfirmationDeps } from './deps.js';
import { loadSelfRefusal } from './selfAsked.js';

/** POST /confirmations: writes nothing to anybody; the platform hands the token on (RULES A6). */
export function createConfirmation(
  deps: ConfirmationDeps,
  context: RequestContext<KeyAccess, unknown, undefined, undefined>,
): Promise<Answer> {
  const { caller, body, claim } = context;
  const { baseUrl, confirmationExpiryHours: expiryHours } = deps.config;
  const now = deps.clock.now();
  const read = readConfirmationRequest(body, { livemode: caller.livemode, now, expiryHours });
  if ('refusal' in read) throw read.refusal;
  return deps.withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const refusal = (await loadSelfRefusal(tx, caller, [read.request]))(read.request);
    if (refusal) throw refusal;
    const draft = draftOf(deps, caller, read.request, { now, asker: askerOf(context) });
    await writeDrafts(tx, deps, caller, [draft]);
    return created({ confirmation: recordOf(draft), ...handedOut(baseUrl, draft) });
  });
}
