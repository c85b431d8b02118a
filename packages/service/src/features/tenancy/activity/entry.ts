import type { ActionResponse } from '../../../domain/activityActions.js';
import type { TrailRow } from './store.js';

/** One line of the audit trail as answers show it. */
export interface ActivityEntry {
  id: string;
  action: ActionResponse;
  at: Date;
  actor: string;
  target: string | null;
  livemode: boolean;
  details: Readonly<Record<string, unknown>> | null;
}

/** What was recorded about a subject names it as its platform knows it. */
export function entryOf(row: TrailRow): ActivityEntry {
  const { id, action, at, actor, target, livemode, details, externalId } = row;
  return {
    id,
    action,
    at,
    actor,
    target,
    livemode,
    details: externalId === null ? details : { userId: externalId, ...details },
  };
}
