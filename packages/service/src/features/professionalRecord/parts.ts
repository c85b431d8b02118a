import type { Database } from '../../kit/db/database.js';
import type { CredentialParts } from '../../ledger/credentials/answerWithCredential.js';

export interface ProfessionalRecordParts extends CredentialParts {
  db: Database;
}
