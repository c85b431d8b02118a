import type { z } from 'zod';
import type { Answer } from '../../../kit/http/answer.js';
import type { UserContext } from '../../../ledger/requests/userContext.js';
import { answerWithCredential } from '../issuing/answerWithCredential.js';
import type { CredentialQuery } from '../issuing/credentialSchemas.js';
import type { ProfessionalRecordDeps } from './deps.js';
import { linkedInEntry } from './linkedInEntry.js';
import { attestProfessionalRecord } from './professionalRecordClaims.js';

/** POST /users/{id}/professional-record/credential */
export async function issueProfessionalRecordCredential(
  deps: ProfessionalRecordDeps,
  context: UserContext<z.output<typeof CredentialQuery>>,
): Promise<Answer> {
  return answerWithCredential(deps, context, {
    attest: attestProfessionalRecord,
    more: (_, share) => ({ linkedin: linkedInEntry(share, deps.clock.now()) }),
  });
}
