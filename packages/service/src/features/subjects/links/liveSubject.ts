import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import { hasSubject } from './store.js';

/** Throws USER_NOT_FOUND where the caller has reported nothing about the subject. */
export async function assertKnown(tx: Tx, subjectId: string): Promise<void> {
  if (!(await hasSubject(tx, subjectId))) fail('USER_NOT_FOUND');
}
