import {
  BLANK_STANDING,
  type MonitorCrossing,
  monitorCrossings,
  type PolicyCrossing,
  policyCrossing,
  type Standing,
} from '../../domain/crossings.js';
import { assertNever } from '../../domain/errors.js';
import type { FactorShares } from '../../domain/factorChange.js';
import type { Tx } from '../../kit/db/database.js';
import { groupBy } from '../../kit/groupBy.js';
import type { EnvelopeDraft } from '../../outbox/envelopes.js';
import type { ScoreMove } from '../scoreMove.js';
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
 * monitors first, then its policies, each oldest first. A condition speaks once per crossing (INTERFACE 6).
 *
 * A monitor or policy that is changed meanwhile may or may not see these moves, but sees none of them twice: a move is looked at
 * in one transaction only, and every move follows on from the one before it.
 */
export async function watchMoves(tx: Tx, now: Date, moves: readonly ScoreMove[]): Promise<EnvelopeDraft[]> {
  if (moves.length === 0) return [];
  const subjectIds = moves.map((move) => move.subjectId);
  const platformIds = [...new Set(moves.map((move) => move.platformId))];
  // Started together they share a trip to the database.
  const [monitors, policies] = await Promise.all([
    findActiveMonitors(tx, subjectIds),
    findActivePolicies(tx, platformIds, subjectIds),
  ]);
  if (monitors.length === 0 && policies.length === 0) return [];
  // Components can drift while no figure of a snapshot moves: what a policy compares with is what the last snapshot told.
  const isOnComponents = policies.some(({ metric }) => metric === 'component');
  const published = isOnComponents ? await findSnapshotsBefore(tx, moves) : null;
  const watched = moves.map((move) => ({ move, before: standingBefore(move, published) }));
  const fired = firedBy(watched, monitors, policies);
  const monitorIds = fired.flatMap((entry) => (entry.kind === 'monitor' ? [entry.monitor.id] : []));
  const explained = fired.flatMap(({ kind, move }) => (kind === 'policy' && move.before ? [move] : []));
  const [before] = await Promise.all([
    published ?? (explained.length > 0 ? findSnapshotsBefore(tx, [...new Set(explained)]) : NOTHING),
    monitorIds.length > 0 ? noteTriggered(tx, [...new Set(monitorIds)], now) : undefined,
  ]);
  return fired.map((entry) => draftOf(entry, before.get(entry.move.subjectId)?.factors ?? null, now));
}

const NOTHING: ReadonlyMap<string, PublishedDetail> = new Map();

interface WatchedMove {
  readonly move: ScoreMove;
  readonly before: Standing;
}

function standingBefore(
  { subjectId, before }: ScoreMove,
  published: ReadonlyMap<string, PublishedDetail> | null,
): Standing {
  return before ? { ...before, components: published?.get(subjectId)?.components ?? null } : BLANK_STANDING;
}

type Fired =
  | { kind: 'monitor'; move: ScoreMove; monitor: ActiveMonitor; crossing: MonitorCrossing }
  | { kind: 'policy'; move: ScoreMove; policy: ActivePolicy; crossing: PolicyCrossing };

function firedBy(
  watched: readonly WatchedMove[],
  monitors: readonly ActiveMonitor[],
  policies: readonly ActivePolicy[],
): Fired[] {
  const monitorsOf = groupBy(monitors, (monitor) => monitor.subjectId);
  const policiesOf = groupBy(policies, bookOf);
  return watched.flatMap((entry) => [
    ...firedMonitors(entry, monitorsOf.get(entry.move.subjectId) ?? []),
    ...firedPolicies(entry, policiesOf.get(bookOf(entry.move)) ?? []),
  ]);
}

function firedMonitors({ move, before }: WatchedMove, monitors: readonly ActiveMonitor[]): Fired[] {
  return monitors.flatMap((monitor) =>
    monitorCrossings(monitor, before, move.after).map(
      (crossing): Fired => ({ kind: 'monitor', move, monitor, crossing }),
    ),
  );
}

function firedPolicies({ move, before }: WatchedMove, policies: readonly ActivePolicy[]): Fired[] {
  return policies.flatMap((policy): Fired[] => {
    if (policy.subjectId !== null && policy.subjectId !== move.subjectId) return [];
    const crossing = policyCrossing(policy, before, move.after);
    return crossing ? [{ kind: 'policy', move, policy, crossing }] : [];
  });
}

function draftOf(fired: Fired, factorsBefore: FactorShares | null, now: Date): EnvelopeDraft {
  const { move } = fired;
  switch (fired.kind) {
    case 'monitor':
      return monitorDraft(move, fired.monitor.id, fired.crossing);
    case 'policy':
      return policyDraft(move, fired.policy, fired.crossing, factorsBefore, now);
    default:
      return assertNever(fired);
  }
}

function bookOf({ platformId, livemode }: { platformId: string; livemode: boolean }): string {
  return `${platformId} ${livemode}`;
}
