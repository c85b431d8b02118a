import { isDeepStrictEqual } from 'node:util';
import type { Components } from '@reliability/scoring';
import { concentrationOf } from '#domain/concentration.js';
import {
  BLANK_STATE,
  type MonitorCrossing,
  type MonitorTerms,
  monitorCrossings,
  type PolicyCrossing,
  policyCrossing,
  type ScoreState,
  watchedAttestersOf,
} from '#domain/crossings.js';
import {
  attesterMetrics,
  POLICY_NOTE,
  type PolicyCrossed,
  type PolicyTerms,
} from '#domain/envelopes/scoreEnvelopes.js';
import { type FactorShares, factorChanges, pointsBetween, topDriverOf } from '#domain/points.js';
import type { Tx } from '#kit/db/database.js';
import { rowsOf, sql } from '#kit/db/rows.js';
import { groupBy } from '#kit/lists.js';
import type { EnvelopeDraft } from '#outbox/envelopes.js';
import { readsOfMembers } from '../links/recordReads.js';
import { countByParty } from '../profile/concentrations.js';
import type { Positions, ScoreChange } from '../recompute/scoreChange.js';

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

type Attesters = Pick<ScoreState, 'attesters'>;

/**
 * The parties behind these changes, before and after. No table counts them, since every append
 * would pay for it. So the events of the record are read, and only of subjects that such a policy
 * watches. A change without new events changes no party.
 */
async function findAttesters(
  tx: Tx,
  changes: readonly ScoreChange[],
  published: ReadonlyMap<string, PublishedDetail>,
): Promise<{ before: Map<ScoreChange, Attesters>; after: Map<ScoreChange, Attesters> }> {
  const positionsOf = ({ subjectId }: ScoreChange) => published.get(subjectId)?.positions ?? {};
  const moved = changes.filter((change) => !isDeepStrictEqual(positionsOf(change), change.positions));
  if (moved.length === 0) return { before: new Map(), after: new Map() };
  const records = [...moved.map(positionsOf), ...moved.map(({ positions }) => positions)];
  const reads = await readsOfMembers(
    tx,
    records.flatMap((positions) => Object.keys(positions)),
  );
  const counts = await countByParty(
    reads,
    records.map((positions) =>
      Object.entries(positions).map(([subjectId, position]) => ({ subjectId, position })),
    ),
  );
  const figures = counts.map((rows) => ({ attesters: watchedAttestersOf(concentrationOf(rows)) }));
  const before = new Map(moved.map((change, index) => [change, figures[index] ?? {}]));
  const after = new Map(moved.map((change, index) => [change, figures[moved.length + index] ?? {}]));
  return { before, after };
}

function monitorDraft(
  change: ScoreChange,
  monitorId: string,
  { condition, threshold }: MonitorCrossing,
): EnvelopeDraft {
  const { before, after } = change;
  return {
    ...addressOf(change),
    type: 'monitor.triggered',
    data: {
      monitorId,
      userId: change.externalId,
      previousScore: before?.score ?? null,
      newScore: after.score,
      previousBand: before?.band ?? null,
      newBand: after.band,
      condition,
      threshold,
      formulaVersion: change.formulaVersion,
    },
  };
}

/** @param factorsBefore null for a first score, which no factor drives yet. */
function policyDraft(
  change: ScoreChange,
  policy: ActivePolicy,
  { previous, current }: PolicyCrossing,
  factorsBefore: FactorShares | null,
  now: Date,
): EnvelopeDraft {
  const { before, after, externalId, formulaVersion } = change;
  const { metric, direction, threshold, component, band } = policy;
  const computedAt = change.computedAt.toISOString();
  const scores = { score: after.score, previousScore: before?.score ?? null };
  const bands = { band: after.band, previousBand: before?.band ?? null };
  return {
    ...addressOf(change),
    type: 'policy.threshold_crossed',
    data: {
      policyId: policy.id,
      policyName: policy.name,
      subject: { externalId },
      metric,
      condition: { metric, direction, threshold, component, band },
      observed: { previous, current },
      ...scores,
      ...bands,
      reason: reasonOf(change, factorsBefore),
      decision_input: {
        subject_external_id: externalId,
        metric,
        direction,
        threshold,
        component,
        band,
        observed_previous: previous,
        observed_current: current,
        score: scores.score,
        previous_score: scores.previousScore,
        score_band: bands.band,
        previous_band: bands.previousBand,
        components: after.components ?? NO_COMPONENTS,
        verified_events: after.verifiedEvents,
        confidence: after.confidence,
        formula_version: formulaVersion,
        computed_at: computedAt,
        crossed_at: now.toISOString(),
      },
      note: POLICY_NOTE,
      formulaVersion,
      computedAt,
    },
  };
}

function addressOf({ platformId, livemode, subjectId }: ScoreChange) {
  return { platformId, livemode, subjectId };
}

function reasonOf(
  { before, after }: ScoreChange,
  factorsBefore: FactorShares | null,
): PolicyCrossed['reason'] {
  const delta = pointsBetween((before ?? BLANK_STATE).score, after.score);
  return {
    scoreBefore: before?.score ?? null,
    scoreAfter: after.score,
    scoreDelta: before ? delta : null,
    direction: delta > 0 ? 'up' : delta < 0 ? 'down' : 'unchanged',
    topDriver: factorsBefore && topDriverOf(factorChanges(factorsBefore, after.factors)),
  };
}

const NO_COMPONENTS: Components = {
  reliability: null,
  timeliness: null,
  trustworthiness: null,
  verification: null,
  consistency: null,
  momentum: null,
};

interface ActiveMonitor extends MonitorTerms {
  readonly id: string;
  readonly subjectId: string;
}

function findActiveMonitors(tx: Tx, subjectIds: readonly string[]): Promise<ActiveMonitor[]> {
  return tx.query<ActiveMonitor>(
    `select monitor_id as id, subject_id, below_score, above_score,
       on_band_change
     from monitor where subject_id = any($1::uuid[]) and is_active order by monitor_id`,
    [subjectIds],
  );
}

interface ActivePolicy extends PolicyTerms {
  readonly id: string;
  readonly name: string;
  readonly platformId: string;
  readonly livemode: boolean;
  /** Null: all subjects of the platform and mode. */
  readonly subjectId: string | null;
}

function findActivePolicies(
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

async function noteTriggered(tx: Tx, monitorIds: readonly string[], at: Date): Promise<void> {
  await tx.execute('update monitor set last_triggered_at = $2 where monitor_id = any($1::uuid[])', [
    monitorIds,
    at,
  ]);
}

interface SnapshotAddress {
  readonly subjectId: string;
  readonly snapshotNo: number;
}

const snapshotAddresses = rowsOf<SnapshotAddress>({ uuid: ['subjectId'], integer: ['snapshotNo'] });

interface PublishedDetail {
  readonly factors: FactorShares;
  readonly components: Components;
  readonly positions: Positions;
}

/** The snapshot before the named one, by subject. Subjects without one are omitted. */
async function findSnapshotsBefore(
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
