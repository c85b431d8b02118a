import type { Reporter } from '#domain/outcomeEvent.js';
import type { KeyCaller } from '#kit/http/route.js';
import { recordActivities } from '#ledger/activity.js';
import type { AppendAnswer, AppendRequest, Ledger } from '#ledger/append/append.js';
import type { ServiceDeps } from '../serviceDeps.js';

/**
 * The ledger knows which platform reported an event, and never changes, so it holds no person's name.
 * Who reported it in the console is in the activity log, under the id of the event.
 */
export function namingPersons({ ledger, db, log }: Pick<ServiceDeps, 'ledger' | 'db' | 'log'>): Ledger {
  return Object.assign(Object.create(ledger) as Ledger, {
    append(request: AppendRequest): Promise<AppendAnswer> {
      const answer = ledger.append(request);
      const { isUser, actor } = request.reporter as Reporter & Partial<KeyCaller>;
      return isUser && actor !== undefined
        ? answer.then((made) => named(made, request.reporter, actor))
        : answer;
    },
  });

  async function named(made: AppendAnswer, reporter: Reporter, actor: string): Promise<AppendAnswer> {
    if (made.kind === 'replayed') return made;
    const { platformId, livemode } = reporter;
    const activities = made.outcomes
      .filter(({ status }) => status === 'created')
      .map(({ eventId: id }) => {
        const act = { action: 'EVENT_CREATED', actor, target: id, at: made.createdAt } as const;
        return { id, platformId, livemode, ...act };
      });
    try {
      await db.transaction((tx) => recordActivities(tx, activities));
    } catch (error) {
      // The events are committed, and answered in any case.
      log.error({ err: error }, 'who reported an event could not be noted');
    }
    return made;
  }
}
