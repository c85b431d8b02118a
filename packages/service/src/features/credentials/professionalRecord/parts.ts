import type { Database } from '../../../kit/db/database.js';
import type { CredentialParts } from '../issuing/answerWithCredential.js';

export interface ProfessionalRecordParts extends CredentialParts {
  db: Database;
}
