import { fail } from '../../../domain/errors.js';
import { factorChanges, pointsBetween, topDriverOf } from '../../../domain/factorChange.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { lowestIdAt } from '../../../kit/ids.js';
import { findSnapshots, type Snapshot } from '../../../ledger/reads/snapshots.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { ScoreDeps } from './deps.js';
import { findEventIds, type LedgerStretch } from './store.js';

const MAX_EVENT_IDS = 100;
const LATEST = 2 ** 31 - 1;

/** GET /users/{id}/score/delta: what the last published change of the score is made of. */
export async function explainChange({ db }: ScoreDeps, context: UserContext): Promise<Answer> {
  const subjectId = subjectOf(context);
  const [current, previous] = await findSnapshots(db, subjectId, LATEST, 2);
  if (!current) return fail('USER_NOT_FOUND');
  if (!previous) {
    return fail('NOT_FOUND', {
      message: 'This score has been computed once so far, so there is no change to explain.',
    });
  }
  const factors = factorChanges(previous.factors, current.factors);
  const stretch = stretchBetween(subjectId, previous, current);
  return ok({
    userId: context.params.id,
    previous: stateOf(previous),
    current: stateOf(current),
    delta: pointsBetween(previous.finalScore, current.finalScore),
    reason: current.reason,
    factors,
    topDriver: topDriverOf(factors),
    events: await findEventIds(db, stretch, MAX_EVENT_IDS),
  });
}

function stateOf(snapshot: Snapshot) {
  return { score: snapshot.finalScore, band: snapshot.scoreBand, computedAt: snapshot.computedAt };
}

/** An event is written within moments of the time in its id; this much is slack for clocks that disagree. */
const CLOCK_SLACK_MS = 24 * 60 * 60 * 1000;

/** The subject's own part of what was added to the record; what linked subjects added belongs to other platforms. */
function stretchBetween(subjectId: string, previous: Snapshot, current: Snapshot): LedgerStretch {
  return {
    subjectId,
    after: previous.positions[subjectId] ?? 0,
    upTo: current.positions[subjectId] ?? 0,
    fromId: lowestIdAt(new Date(previous.computedAt.getTime() - CLOCK_SLACK_MS)),
  };
}
