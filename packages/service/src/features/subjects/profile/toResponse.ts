import { kindOfEventType } from '../../../domain/qualificationKinds.js';
import type { Qualification } from '../../../ledger/profile/qualifications.js';
import type { Project } from '../projects.js';

/** A qualification as its platform reads it. */
export function toQualificationResponse(userId: string, { id, eventType, ...rest }: Qualification) {
  return { id, userId, kind: kindOfEventType[eventType], eventType, ...rest };
}

/** A project as its platform reads it. */
export function toProjectResponse(userId: string, { id, ...rest }: Project) {
  return { id, userId, ...rest };
}
