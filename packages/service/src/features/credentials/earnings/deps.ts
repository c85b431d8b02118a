import type { Database } from '../../../kit/db/database.js';
import type { CredentialDeps } from '../issuing/answerWithCredential.js';

export interface EarningsDeps extends CredentialDeps {
  db: Database;
}
