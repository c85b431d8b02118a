import type { Tx } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import { recordActivities } from '../../../ledger/activity.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { AttestationKind, KindTypes, LoggedStatus, ModeOwner } from './kind.js';

interface Act<K extends KindTypes> {
  /** The status that the requests have now. */
  readonly status: LoggedStatus;
  /** As in Activity. */
  readonly actor: string;
  readonly at: Date;
  readonly attestations: readonly K['stored'][];
  /** Beside the details that every line of the kind has. */
  readonly details?: object;
}

/** A line of the activity log for each of the requests, if their kind has any. */
export async function recordAct<K extends KindTypes>(
  tx: Tx,
  { ids }: { ids: IdSource },
  { activity }: AttestationKind<K>,
  { platformId, livemode }: ModeOwner,
  { status, actor, at, attestations, details }: Act<K>,
): Promise<void> {
  if (!activity) return;
  await recordActivities(
    tx,
    attestations.map((attestation) => ({
      id: ids.at(at),
      platformId,
      livemode,
      action: activity.actions[status],
      actor,
      target: attestation.id,
      subjectId: subjectIdOf(platformId, livemode, attestation.userId),
      details: { ...activity.detailsOf(attestation, status), ...details },
      at,
    })),
  );
}
