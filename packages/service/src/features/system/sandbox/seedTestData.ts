import { type Answer, created } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { recordActivity } from '../../../ledger/activity.js';
import { assertTestMode, type SandboxDeps } from './deps.js';
import { sandboxSubjects } from './sandboxSubjects.js';

/** POST /test/seed: five synthetic subjects with a history behind them. Seeding again adds nothing (RULES T3). */
export async function seedTestData(
  { clock, ids, ledger, withIdempotency, signal }: SandboxDeps,
  { caller, claim }: RequestContext<KeyAccess, undefined, undefined, undefined>,
): Promise<Answer> {
  assertTestMode(caller);
  const now = clock.now();
  const subjects = sandboxSubjects(now);
  const answer = await withIdempotency(claim, { now }, async (tx) => {
    const events = subjects.flatMap((subject) => subject.events);
    const outcomes = await ledger.appendIn(tx, caller, events, { by: 'reporter' });
    await recordActivity(tx, {
      id: ids.at(now),
      platformId: caller.platformId,
      livemode: false,
      action: 'TEST_DATA_SEEDED',
      actor: `key:${caller.keyId}`,
      details: { events: outcomes.filter((outcome) => outcome.status === 'created').length },
      at: now,
    });
    return created({ subjects: subjects.map(({ userId, about }) => ({ userId, about })) });
  });
  signal.queued();
  return answer;
}
