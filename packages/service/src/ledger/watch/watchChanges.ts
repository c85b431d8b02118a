import {
  BLANK_STATE,
  type MonitorCrossing,
  monitorCrossings,
  type PolicyCrossing,
  policyCrossing,
  type ScoreState,
} from '../../domain/crossings.js';
import { attesterMetrics } from '../../domain/envelopes/scoreEnvelopes.js';
import { assertNever } from '../../domain/errors.js';
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
  const fired = firedBy(watched, monitors, policies);
  const monitorIds = fired.flatMap((entry) => (entry.kind === 'monitor' ? [entry.monitor.id] : []));
  const explained = fired.flatMap(({ kind, change }) => (kind === 'policy' && change.before ? [change] : []));
  const [before] = await Promise.all([
    published ?? (explained.length > 0 ? findSnapshotsBefore(tx, [...new Set(explained)]) : NOTHING),
    monitorIds.length > 0 ? noteTriggered(tx, [...new Set(monitorIds)], now) : undefined,
  ]);
  return fired.map((entry) => draftOf(entry, before.get(entry.change.subjectId)?.factors ?? null, now));
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

type Fired =
  | { kind: 'monitor'; change: ScoreChange; monitor: ActiveMonitor; crossing: MonitorCrossing }
  | { kind: 'policy'; change: ScoreChange; policy: ActivePolicy; crossing: PolicyCrossing };

function firedBy(
  watched: readonly WatchedChange[],
  monitors: readonly ActiveMonitor[],
  policies: readonly ActivePolicy[],
): Fired[] {
  const monitorsOf = groupBy(monitors, (monitor) => monitor.subjectId);
  const policiesOf = groupBy(policies, bookOf);
  return watched.flatMap((entry) => [
    ...firedMonitors(entry, monitorsOf.get(entry.change.subjectId) ?? []),
    ...firedPolicies(entry, policiesOf.get(bookOf(entry.change)) ?? []),
  ]);
}

function firedMonitors({ change, before }: WatchedChange, monitors: readonly ActiveMonitor[]): Fired[] {
  return monitors.flatMap((monitor) =>
    monitorCrossings(monitor, before, change.after).map(
      (crossing): Fired => ({ kind: 'monitor', change, monitor, crossing }),
    ),
  );
}

function firedPolicies({ change, before, after }: WatchedChange, policies: readonly ActivePolicy[]): Fired[] {
  return policies.flatMap((policy): Fired[] => {
    if (!covers(policy, change)) return [];
    const crossing = policyCrossing(policy, before, after);
    return crossing ? [{ kind: 'policy', change, policy, crossing }] : [];
  });
}

function draftOf(fired: Fired, factorsBefore: FactorShares | null, now: Date): EnvelopeDraft {
  const { change } = fired;
  switch (fired.kind) {
    case 'monitor':
      return monitorDraft(change, fired.monitor.id, fired.crossing);
    case 'policy':
      return policyDraft(change, fired.policy, fired.crossing, factorsBefore, now);
    default:
      return assertNever(fired);
  }
}

function covers(policy: ActivePolicy, change: ScoreChange): boolean {
  return bookOf(policy) === bookOf(change) && (policy.subjectId ?? change.subjectId) === change.subjectId;
}

function bookOf({ platformId, livemode }: { platformId: string; livemode: boolean }): string {
  return `${platformId} ${livemode}`;
}
