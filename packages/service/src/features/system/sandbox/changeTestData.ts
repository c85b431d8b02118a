import { fail } from '#domain/errors.js';
import { created, type TypedAnswer } from '#kit/http/answer.js';
import type { IdempotencyClaim, KeyCaller } from '#kit/http/route.js';
import { recordOwnerActivity } from '#ledger/activity.js';
import { resetTestData } from '#ledger/resetTestData.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { sandboxSubjects } from './sandboxSubjects.js';
import type { Reset, Seeded } from './schemas.js';

export type SandboxDeps = Pick<
  ServiceDeps,
  'db' | 'clock' | 'ids' | 'erased' | 'ledger' | 'withIdempotency' | 'wakes'
>;

/** Adds five synthetic subjects with their history. Seeding again adds nothing (RULES T3). */
export async function seedTestData(
  { clock, ids, ledger, withIdempotency, wakes }: SandboxDeps,
  caller: KeyCaller,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, Seeded>> {
  assertTestMode(caller);
  const now = clock.now();
  const subjects = sandboxSubjects(now);
  const answer = await withIdempotency(claim, { now }, async (tx) => {
    const events = subjects.flatMap((subject) => subject.events);
    const outcomes = await ledger.appendIn(tx, caller, events, { by: 'reporter' });
    await recordOwnerActivity(tx, ids, caller, {
      action: 'TEST_DATA_SEEDED',
      details: { events: outcomes.filter((outcome) => outcome.status === 'created').length },
      at: now,
    });
    return created({ subjects: subjects.map(({ userId, about }) => ({ userId, about })) });
  });
  wakes.raise('scores');
  return answer;
}

/** Deletes the platform's test data. Keys and the audit trail remain (RULES T3). */
export async function clearTestData(
  { db, clock, ids, erased }: SandboxDeps,
  caller: KeyCaller,
): Promise<Reset> {
  assertTestMode(caller);
  const reset = await db.transaction(async (tx) => {
    const deleted = await resetTestData(tx, caller.platformId);
    const now = clock.now();
    await recordOwnerActivity(tx, ids, caller, {
      action: 'TEST_DATA_RESET',
      details: { ...deleted },
      at: now,
    });
    return { deleted };
  });
  // An erased test id can be used again.
  await erased.changed();
  return reset;
}

/** The live ledger is never seeded or reset. */
function assertTestMode(caller: KeyCaller): void {
  if (caller.livemode)
    fail('TEST_MODE_ONLY', { message: 'Use a test key (crd_test_...) for this operation.' });
}
