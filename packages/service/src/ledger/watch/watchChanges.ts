import {
  BLANK_STATE,
  type MonitorCrossing,
  monitorCrossings,
  type PolicyCrossing,
  policyCrossing,
  type ScoreState,
} from '../../domain/crossings.js';
import { assertNever } from '../../domain/errors.js';
import type { FactorShares } from '../../domain/factorChange.js';
import type { Tx } from '../../kit/db/database.js';
import { groupBy } from '../../kit/groupBy.js';
import type { EnvelopeDraft } from '../../outbox/envelopes.js';
import type { ScoreChange } from '../recompute/scoreChange.js';
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
 * What monitors and policies have to say about moves of scores, in the transaction that writes these: for each move its
 * monitors first, then its policies, each oldest first. A condition speaks once per crossing (RULES N2).
 *
 * A monitor or policy that is changed meanwhile may or may not see these moves, but sees none of them twice: a move is looked at
 * in one transaction only, and every move follows on from the one before it.
 */
export async function watchChanges(
  tx: Tx,
  now: Date,
  changes: readonly ScoreChange[],
): Promise<EnvelopeDraft[]> {
  if (changes.length === 0) return [];
  const subjectIds = changes.map((change) => change.subjectId);
  const platformIds = [...new Set(changes.map((change) => change.platformId))];
  // Started together they share a trip to the database.
  const [monitors, policies] = await Promise.all([
    findActiveMonitors(tx, subjectIds),
    findActivePolicies(tx, platformIds, subjectIds),
  ]);
  if (monitors.length === 0 && policies.length === 0) return [];
  // Components can drift while no figure of a snapshot moves: what a policy compares with is what the last snapshot told.
  const isOnComponents = policies.some(({ metric }) => metric === 'component');
  const published = isOnComponents ? await findSnapshotsBefore(tx, changes) : null;
  const watched = changes.map((change) => ({ change, before: stateBefore(change, published) }));
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

function firedPolicies({ change, before }: WatchedChange, policies: readonly ActivePolicy[]): Fired[] {
  return policies.flatMap((policy): Fired[] => {
    if (policy.subjectId !== null && policy.subjectId !== change.subjectId) return [];
    const crossing = policyCrossing(policy, before, change.after);
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

function bookOf({ platformId, livemode }: { platformId: string; livemode: boolean }): string {
  return `${platformId} ${livemode}`;
}
