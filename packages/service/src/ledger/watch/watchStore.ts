import type { Components } from '@reliability/scoring';
import type { MonitorTerms } from '../../domain/crossings.js';
import type { PolicyTerms } from '../../domain/envelopes/scoreEnvelopes.js';
import type { FactorShares } from '../../domain/points.js';
import type { Tx } from '../../kit/db/database.js';
import { rowsOf, sql } from '../../kit/db/rows.js';
import type { Positions } from '../recompute/scoreChange.js';

export interface ActiveMonitor extends MonitorTerms {
  readonly id: string;
  readonly subjectId: string;
}

/** Active monitors of the subjects, oldest first. */
export function findActiveMonitors(tx: Tx, subjectIds: readonly string[]): Promise<ActiveMonitor[]> {
  return tx.query<ActiveMonitor>(
    `select monitor_id as id, subject_id, below_score, above_score,
       on_band_change
     from monitor where subject_id = any($1::uuid[]) and is_active order by monitor_id`,
    [subjectIds],
  );
}

export interface ActivePolicy extends PolicyTerms {
  readonly id: string;
  readonly name: string;
  readonly platformId: string;
  readonly livemode: boolean;
  /** Null: all subjects of the platform and mode. */
  readonly subjectId: string | null;
}

/** Active policies of the platforms that cover all subjects or one of these, oldest first. */
export function findActivePolicies(
  tx: Tx,
  platformIds: readonly string[],
  subjectIds: readonly string[],
): Promise<ActivePolicy[]> {
  return tx.query<ActivePolicy>(
    `select policy_id as id, name, platform_id, livemode, subject_id, metric, direction,
       threshold, component, band
     from policy
     where platform_id = any($1::uuid[]) and is_active and (subject_id is null or subject_id = any($2::uuid[]))
     order by policy_id`,
    [platformIds, subjectIds],
  );
}

export async function noteTriggered(tx: Tx, monitorIds: readonly string[], at: Date): Promise<void> {
  await tx.execute('update monitor set last_triggered_at = $2 where monitor_id = any($1::uuid[])', [
    monitorIds,
    at,
  ]);
}

/** A subject's snapshot, by number. */
export interface SnapshotAddress {
  readonly subjectId: string;
  readonly snapshotNo: number;
}

const snapshotAddresses = rowsOf<SnapshotAddress>({ uuid: ['subjectId'], integer: ['snapshotNo'] });

/** The part of a snapshot that explains its figures. */
export interface PublishedDetail {
  readonly factors: FactorShares;
  readonly components: Components;
  readonly positions: Positions;
}

/** The snapshot before the named one, by subject. Subjects without one are omitted. */
export async function findSnapshotsBefore(
  tx: Tx,
  snapshots: readonly SnapshotAddress[],
): Promise<Map<string, PublishedDetail>> {
  const rows = await sql`select named.subject_id, before.factors, before.components, before.positions
     from ${snapshotAddresses.as('named', snapshots)}
     cross join lateral (
       select factors, components, positions from score_snapshot earlier
       where earlier.subject_id = named.subject_id and earlier.snapshot_no < named.snapshot_no
       order by earlier.snapshot_no desc limit 1
     ) before`.query<PublishedDetail & { subjectId: string }>(tx);
  return new Map(rows.map((row) => [row.subjectId, row]));
}
