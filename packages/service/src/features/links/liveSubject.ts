import { fail } from '../../domain/errors.js';
import type { Tx } from '../../kit/db/database.js';
import type { KeyCaller } from '../../kit/http/route.js';
import { hasSubject } from './store.js';

/** Test subjects never link (DECISIONS 1): what they are is made up, and would count for somebody real. */
export function refuseTestKey({ livemode }: KeyCaller): void {
  if (!livemode) fail('TEST_MODE_NOT_ALLOWED');
}

/** Throws USER_NOT_FOUND where the caller has reported nothing about the subject. */
export async function assertKnown(tx: Tx, subjectId: string): Promise<void> {
  if (!(await hasSubject(tx, subjectId))) fail('USER_NOT_FOUND');
}
