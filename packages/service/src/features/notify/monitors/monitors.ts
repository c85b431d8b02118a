import { z } from 'zod';
import { planOf } from '#domain/catalogues/plans.js';
import { fail, failValidation } from '#domain/errors.js';
import { externalId } from '#domain/externalId.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, pick, updateRow } from '#kit/db/rows.js';
import { created, noContent, ok, type TypedAnswer } from '#kit/http/answer.js';
import { cursorParam, instant, pageLimit, pageSchema, pathText } from '#kit/http/query.js';
import {
  type IdempotencyClaim,
  keyOrOperatorFor,
  type Owner,
  type RouteTable,
  route,
} from '#kit/http/route.js';
import { withoutUndefined } from '#kit/lists.js';
import { type Activity, differences, recordOwnerActivity } from '#ledger/activity.js';
import { ownedRows } from '#ledger/reads/ownedRows.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { lockCount, lockSubject } from '../store.js';
import { pointsThreshold } from '../threshold.js';

const points = z.number().min(0).max(100).nullable();

type Monitor = z.output<typeof Monitor>;
const Monitor = z
  .object({
    id: z.uuid(),
    userId: z.string(),
    belowScore: points,
    aboveScore: points,
    onBandChange: z.boolean(),
    isActive: z.boolean(),
    lastTriggeredAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Monitor' });

const MonitorPage = pageSchema('monitors', Monitor).meta({ id: 'MonitorPage' });

const MonitorQuery = z.object({
  userId: externalId.optional(),
  limit: pageLimit(100, 25),
  cursor: cursorParam,
});

const belowScore = pointsThreshold.nullable().optional();
const aboveScore = pointsThreshold.nullable().optional();
const onBandChange = z.boolean().nullable().optional();

const NO_CONDITION = 'needs at least one of belowScore, aboveScore and onBandChange';

const MonitorBody = z
  .object({
    userId: externalId,
    belowScore,
    aboveScore,
    onBandChange,
    isActive: z.boolean().optional(),
  })
  .refine(hasCondition, NO_CONDITION)
  .meta({ id: 'NewMonitor' });

const MonitorChanges = z
  .object({
    belowScore,
    aboveScore,
    onBandChange,
    isActive: z.boolean().optional(),
  })
  .meta({ id: 'MonitorChanges' });

function hasCondition(terms: {
  belowScore?: number | null | undefined;
  aboveScore?: number | null | undefined;
  onBandChange?: boolean | null | undefined;
}): boolean {
  return (
    (terms.belowScore ?? null) !== null || (terms.aboveScore ?? null) !== null || terms.onBandChange === true
  );
}

const monitorPath = z.object({
  id: pathText(),
});

const stored = ownedRows<Monitor>({
  table: 'monitor',
  id: 'monitor_id',
  columns: `monitor_id as id, external_id as user_id, below_score, above_score, on_band_change,
    is_active, last_triggered_at, created_at, updated_at`,
  join: 'join subject using (subject_id)',
  missing: 'There is no monitor with this id.',
});

async function listMonitors(db: Queryable, owner: Owner, query: z.output<typeof MonitorQuery>) {
  const subjectId = query.userId && subjectIdOf(owner.platformId, owner.livemode, query.userId);
  const { rows, nextCursor } = await stored.list(db, owner, query, { subjectId });
  return { monitors: rows, nextCursor };
}

async function insertMonitor(tx: Tx, owner: Owner, subjectId: string, monitor: Monitor): Promise<void> {
  await insertRow(tx, 'monitor', {
    ...pick(monitor, 'belowScore', 'aboveScore', 'onBandChange', 'isActive', 'createdAt', 'updatedAt'),
    monitorId: monitor.id,
    ...pick(owner, 'platformId', 'livemode'),
    subjectId,
  });
}

type MonitorDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'withIdempotency'>;
type Changes = z.output<typeof MonitorChanges>;

/** POST /monitors. Only later score changes can trigger it, not the current score. */
function createMonitor(
  deps: MonitorDeps,
  owner: Owner,
  body: z.output<typeof MonitorBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, Monitor>> {
  const now = deps.clock.now();
  return deps.withIdempotency(claim, { now }, async (tx) => {
    const subjectId = await lockSubject(tx, owner, body.userId);
    const { userId, belowScore = null, aboveScore = null, isActive = true } = body;
    const terms = { belowScore, aboveScore, onBandChange: body.onBandChange ?? false, isActive };
    if (isActive) await assertMonitorLimit(tx, owner);
    const monitor: Monitor = {
      id: deps.ids.at(now),
      userId,
      ...terms,
      lastTriggeredAt: null,
      createdAt: now,
      updatedAt: now,
    };
    await insertMonitor(tx, owner, subjectId, monitor);
    await recordMonitorActivity(tx, deps, owner, monitor, {
      action: 'MONITOR_CREATED',
      details: terms,
      at: now,
    });
    return created(monitor);
  });
}

/** PATCH /monitors/{id}. A body that changes nothing writes nothing. */
function updateMonitor(deps: MonitorDeps, owner: Owner, id: string, changes: Changes): Promise<Monitor> {
  return deps.db.transaction(async (tx) => {
    const before = await stored.lock(tx, owner, id);
    const now = deps.clock.now();
    const after: Monitor = { ...before, ...given(changes), updatedAt: now };
    if (!hasCondition(after)) failValidation([{ path: '', code: 'custom', message: NO_CONDITION }]);
    const details = differences(before, after, CHANGEABLE);
    if (Object.keys(details).length === 0) return before;
    if (after.isActive && !before.isActive) await assertMonitorLimit(tx, owner);
    // Only the recompute writes `last_triggered_at`.
    await updateRow(tx, 'monitor', { monitorId: id }, pick(after, ...CHANGEABLE, 'updatedAt'));
    await recordMonitorActivity(tx, deps, owner, after, { action: 'MONITOR_UPDATED', details, at: now });
    return after;
  });
}

const CHANGEABLE = ['belowScore', 'aboveScore', 'onBandChange', 'isActive'] as const;

function given({ onBandChange, ...changes }: Changes): Partial<Monitor> {
  return withoutUndefined(
    onBandChange === undefined ? changes : { ...changes, onBandChange: onBandChange ?? false },
  );
}

/** DELETE /monitors/{id}. The envelopes that it caused stay. */
function deleteMonitor(deps: MonitorDeps, owner: Owner, id: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const monitor = await stored.remove(tx, owner, id);
    const { belowScore, aboveScore, onBandChange } = monitor;
    await recordMonitorActivity(tx, deps, owner, monitor, {
      action: 'MONITOR_DELETED',
      details: { belowScore, aboveScore, onBandChange },
      at: deps.clock.now(),
    });
  });
}

/** Throws MONITOR_LIMIT_REACHED if one more active monitor exceeds the plan's cap. */
async function assertMonitorLimit(tx: Tx, owner: Owner): Promise<void> {
  const limit = planOf(owner.plan).limits.monitors;
  if ((await lockCount(tx, 'monitors', owner)) < limit) return;
  fail('MONITOR_LIMIT_REACHED', { details: { limit, tier: owner.plan } });
}

/** Activity about a monitor is also activity about its subject. */
function recordMonitorActivity(
  tx: Tx,
  { ids }: MonitorDeps,
  owner: Owner,
  { id, userId }: Monitor,
  activity: Pick<Activity, 'action' | 'details' | 'at'>,
): Promise<void> {
  const subjectId = subjectIdOf(owner.platformId, owner.livemode, userId);
  return recordOwnerActivity(tx, ids, owner, { ...activity, subjectId, target: id });
}

export function monitorRoutes(deps: MonitorDeps): RouteTable {
  const own = { access: keyOrOperatorFor('webhooks'), tag: 'Monitors' };
  const onOne = { ...own, params: monitorPath, errors: ['NOT_FOUND'] } as const;
  return {
    'POST /monitors': route({
      operationId: 'createMonitor',
      ...own,
      idempotent: true,
      body: MonitorBody,
      answers: { 201: Monitor },
      errors: ['USER_NOT_FOUND', 'MONITOR_LIMIT_REACHED'],
      handle: ({ owner, body, claim }) => createMonitor(deps, owner, body, claim),
    }),
    'GET /monitors': route({
      operationId: 'listMonitors',
      ...own,
      query: MonitorQuery,
      answers: { 200: MonitorPage },
      handle: async ({ owner, query }) => ok(await listMonitors(deps.db, owner, query)),
    }),
    'GET /monitors/{id}': route({
      operationId: 'readMonitor',
      ...onOne,
      answers: { 200: Monitor },
      handle: async ({ owner, params }) => ok(await stored.read(deps.db, owner, params.id)),
    }),
    'PATCH /monitors/{id}': route({
      operationId: 'updateMonitor',
      ...onOne,
      body: MonitorChanges,
      answers: { 200: Monitor },
      errors: ['NOT_FOUND', 'MONITOR_LIMIT_REACHED'],
      handle: async ({ owner, params, body }) => ok(await updateMonitor(deps, owner, params.id, body)),
    }),
    'DELETE /monitors/{id}': route({
      operationId: 'deleteMonitor',
      ...onOne,
      answers: { 204: null },
      async handle({ owner, params }) {
        await deleteMonitor(deps, owner, params.id);
        return noContent();
      },
    }),
  };
}
