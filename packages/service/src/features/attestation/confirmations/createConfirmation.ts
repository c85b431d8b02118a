import { type Answer, created } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { askerOf } from '../answerEvidence.js';
import { readConfirmationRequest } from './confirmationRequest.js';
import { draftOf, handedOut, recordOf, writeDrafts } from './draft.js';
import type { ConfirmationParts } from './parts.js';
import { loadSelfRefusal } from './selfAsked.js';

/** POST /confirmations: writes nothing to anybody; the platform hands the token on (INTERFACE 2.4). */
export function createConfirmation(
  parts: ConfirmationParts,
  context: RequestContext<KeyAccess, unknown, undefined, undefined>,
): Promise<Answer> {
  const { caller, body, claim } = context;
  const { baseUrl, confirmationExpiryHours: expiryHours } = parts.config;
  const now = parts.clock.now();
  const read = readConfirmationRequest(body, { livemode: caller.livemode, now, expiryHours });
  if ('refusal' in read) throw read.refusal;
  return parts.once.run(claim, { now, isSecret: true }, async (tx) => {
    const refusal = (await loadSelfRefusal(tx, caller, [read.request]))(read.request);
    if (refusal) throw refusal;
    const draft = draftOf(parts, caller, read.request, { now, asker: askerOf(context) });
    await writeDrafts(tx, parts, caller, [draft]);
    return created({ confirmation: recordOf(draft), ...handedOut(baseUrl, draft) });
  });
}
