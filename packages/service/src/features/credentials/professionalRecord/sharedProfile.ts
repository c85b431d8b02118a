import type { Database } from '../../../kit/db/database.js';
import { loadProfessionalRecord } from './professionalRecords.js';
import { SharedProfessionalRecord } from './schemas.js';

/** What a share token shows besides, where its subject agrees (RULES C3): the professional record. */
export function professionalProfile(db: Database) {
  return {
    schema: SharedProfessionalRecord,
    read: (subjectId: string) => loadProfessionalRecord(db, subjectId),
  };
}
