import { BLANK_STATE, monitorCrossings, policyCrossing, type ScoreState } from '../../domain/crossings.js';
import { attesterMetrics } from '../../domain/envelopes/scoreEnvelopes.js';
import type { FactorShares } from '../../domain/factorChange.js';
import type { Tx } from '../../kit/db/database.js';
import { groupBy } from '../../kit/groupBy.js';
import type { EnvelopeDraft } from '../../outbox/envelopes.js';
import type { ScoreChange } from '../recompute/scoreChange.js';
import { findAttesters } from './watchAttesters.js';
import { monitorDraft, policyDraft } from './watchDrafts.js';
import {
  type ActiveMonitor,
  type ActivePolicy,
  findActiveMonitors,
  findActivePolicies,
  findSnapshotsBefore,
  noteTriggered,
  type PublishedDetail,
} from './watchStore.js';

/**
 * The envelopes of monitors and policies for these score changes, in the transaction that writes
 * the changes. For each change: monitors first, then policies, each oldest first. A condition fires
 * once per crossing (RULES N2).
 *
 * A monitor or policy that is edited at the same time may miss these changes, but never fires twice
 * for one: each change is evaluated in exactly one transaction and continues the previous one.
 */
export async function watchChanges(
  tx: Tx,
  now: Date,
  changes: readonly ScoreChange[],
): Promise<EnvelopeDraft[]> {
  if (changes.length === 0) return [];
  const subjectIds = changes.map((change) => change.subjectId);
  const platformIds = [...new Set(changes.map((change) => change.platformId))];
  // Sent together, the two queries cost one round trip.
  const [monitors, policies] = await Promise.all([
    findActiveMonitors(tx, subjectIds),
    findActivePolicies(tx, platformIds, subjectIds),
  ]);
  if (monitors.length === 0 && policies.length === 0) return [];
  // Components can drift without a new snapshot. A policy compares with the last snapshot's value.
  const onAttesters = policies.filter(({ metric }) => attesterMetrics.includes(metric));
  const isOnComponents = policies.some(({ metric }) => metric === 'component');
  const published = onAttesters.length > 0 || isOnComponents ? await findSnapshotsBefore(tx, changes) : null;
  const isOfThem = (change: ScoreChange) => onAttesters.some((policy) => covers(policy, change));
  const attesters = published && (await findAttesters(tx, changes.filter(isOfThem), published));
  const watched = changes.map((change) => ({
    change,
    before: { ...stateBefore(change, published), ...attesters?.before.get(change) },
    after: { ...change.after, ...attesters?.after.get(change) },
  }));
  const fired = firedBy(watched, monitors, policies, now);
  const monitorIds = fired.flatMap(({ monitorId }) => monitorId ?? []);
  const explained = fired.flatMap(({ monitorId, change }) => (!monitorId && change.before ? change : []));
  const [before] = await Promise.all([
    published ?? (explained.length > 0 ? findSnapshotsBefore(tx, [...new Set(explained)]) : NOTHING),
    monitorIds.length > 0 ? noteTriggered(tx, [...new Set(monitorIds)], now) : undefined,
  ]);
  return fired.map(({ change, draft }) => draft(before.get(change.subjectId)?.factors ?? null));
}

const NOTHING: ReadonlyMap<string, PublishedDetail> = new Map();

interface WatchedChange {
  readonly change: ScoreChange;
  readonly before: ScoreState;
  readonly after: ScoreState;
}

function stateBefore(
  { subjectId, before }: ScoreChange,
  published: ReadonlyMap<string, PublishedDetail> | null,
): ScoreState {
  return before ? { ...before, components: published?.get(subjectId)?.components ?? null } : BLANK_STATE;
}

interface Fired {
  change: ScoreChange;
  /** Null: a policy fired. */
  monitorId: string | null;
  draft(factorsBefore: FactorShares | null): EnvelopeDraft;
}

function firedBy(
  watched: readonly WatchedChange[],
  monitors: readonly ActiveMonitor[],
  policies: readonly ActivePolicy[],
  now: Date,
): Fired[] {
  const monitorsOf = groupBy(monitors, (monitor) => monitor.subjectId);
  const policiesOf = groupBy(policies, bookOf);
  return watched.flatMap(({ change, before, after }) => [
    ...(monitorsOf.get(change.subjectId) ?? []).flatMap((monitor) =>
      monitorCrossings(monitor, before, change.after).map((crossing): Fired => {
        const { id } = monitor;
        return { change, monitorId: id, draft: () => monitorDraft(change, id, crossing) };
      }),
    ),
    ...(policiesOf.get(bookOf(change)) ?? []).flatMap((policy): Fired[] => {
      const crossing = covers(policy, change) && policyCrossing(policy, before, after);
      if (!crossing) return [];
      const draft: Fired['draft'] = (factors) => policyDraft(change, policy, crossing, factors, now);
      return [{ change, monitorId: null, draft }];
    }),
  ]);
}

function covers(policy: ActivePolicy, change: ScoreChange): boolean {
  return bookOf(policy) === bookOf(change) && (policy.subjectId ?? change.subjectId) === change.subjectId;
}

function bookOf({ platformId, livemode }: { platformId: string; livemode: boolean }): string {
  return `${platformId} ${livemode}`;
}
