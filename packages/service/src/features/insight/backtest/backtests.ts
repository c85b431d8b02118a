import type { BacktestReport } from '#domain/backtest/report.js';
import { fail } from '#domain/errors.js';
import type { Tx } from '#kit/db/database.js';
import { ok, type TypedAnswer } from '#kit/http/answer.js';
import {
  type IdempotencyClaim,
  keyFor,
  operator,
  type RouteTable,
  route,
  withLocation,
} from '#kit/http/route.js';
import { enqueueJob } from '#kit/jobs/jobs.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { assertQueueServed } from '../trackedJobs.js';
import {
  BacktestAnswer,
  BacktestBody,
  BacktestCreated,
  BacktestQuery,
  type BacktestState,
  Backtests,
  backtestPath,
  backtests,
  findUnderWay,
  insertBacktest,
  listBacktests,
} from './store.js';

type BacktestDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'withIdempotency' | 'wakes'> & {
  /** Whether this process executes queued jobs. */
  runsWorker: boolean;
};

export const BACKTEST_JOB = 'backtest';

/** The owner of the operator's backtests: every platform, live. */
export const EVERY_PLATFORM: ModeOwner = {
  platformId: '00000000-0000-0000-0000-000000000000',
  livemode: true,
};

type Created = TypedAnswer<202, { backtest: BacktestState }>;

/**
 * Queues a backtest. One runs at a time for each owner: asking for the same again answers with the one under
 * way, asking for another is CONFLICT (RULES B10).
 * @param path of the collection.
 */
async function createBacktest(
  deps: BacktestDeps,
  owner: ModeOwner,
  path: string,
  body: BacktestBody,
  claim: IdempotencyClaim | null,
): Promise<Created> {
  const { clock, withIdempotency, wakes } = deps;
  const now = clock.now();
  const answer = await withIdempotency(claim, { now }, async (tx): Promise<Created> => {
    return { status: 202, body: { backtest: await enqueue(tx, deps, owner, body, now) } };
  });
  wakes.raise('jobs');
  return withLocation(answer, `${path}/${answer.body.backtest.id}`);
}

async function enqueue(
  tx: Tx,
  { ids, runsWorker }: BacktestDeps,
  owner: ModeOwner,
  body: BacktestBody,
  now: Date,
): Promise<BacktestState> {
  await assertQueueServed(tx, now, runsWorker, 'BACKTEST_QUEUE_UNAVAILABLE');
  const { from = null, to = null, ...steps } = body;
  const backtest: BacktestState = {
    id: ids.at(now),
    status: 'QUEUED',
    ...steps,
    from,
    to,
    progress: 0,
    error: null,
    createdAt: now,
    completedAt: null,
    report: null,
  };
  if (await insertBacktest(tx, owner, backtest)) {
    await enqueueJob(tx, { jobId: backtest.id, kind: BACKTEST_JOB, platformId: owner.platformId }, now);
    return backtest;
  }
  const underWay = await findUnderWay(tx, owner);
  if (underWay && isSame(underWay, backtest)) return underWay;
  return fail('CONFLICT', {
    message: 'Another backtest is under way. Wait until it has ended.',
    ...(underWay && { details: { id: underWay.id, status: underWay.status } }),
  });
}

function isSame(a: BacktestState, b: BacktestState): boolean {
  return (['by', 'everyDays', 'horizonDays', 'from', 'to'] as const).every((name) => a[name] === b[name]);
}

export type BacktestRouteDeps = BacktestDeps & {
  /** The report as a page with pictures. */
  showBacktest(report: BacktestReport): TypedAnswer<200, string>;
};

/** What scores were worth (RULES B7). */
export function backtestRoutes(deps: BacktestRouteDeps): RouteTable {
  const creation = {
    idempotent: true,
    body: BacktestBody,
    bodyOptional: true,
    answers: { 202: BacktestCreated },
    errors: ['CONFLICT', 'BACKTEST_QUEUE_UNAVAILABLE'] as const,
  } as const;
  const reading = {
    params: backtestPath,
    query: BacktestQuery,
    answers: { 200: { json: BacktestAnswer, media: [{ type: 'text/html' }] } },
    errors: ['NOT_FOUND', 'CONFLICT'] as const,
  };
  return {
    'POST /analytics/backtest': route({
      operationId: 'createBacktest',
      access: keyFor('scores', 'read'),
      tag: 'Analytics',
      ...creation,
      handle: ({ owner, body, claim }) => createBacktest(deps, owner, '/analytics/backtest', body, claim),
    }),
    'GET /analytics/backtest': route({
      operationId: 'listBacktests',
      access: keyFor('scores'),
      tag: 'Analytics',
      answers: { 200: Backtests },
      handle: async ({ owner }) => ok({ backtests: await listBacktests(deps.db, owner) }),
    }),
    'GET /analytics/backtest/{id}': route({
      operationId: 'readBacktest',
      access: keyFor('scores'),
      tag: 'Analytics',
      ...reading,
      handle: ({ owner, params, query }) => answerBacktest(deps, owner, params.id, query.format),
    }),
    'POST /admin/analytics/backtest': route({
      operationId: 'adminCreateBacktest',
      access: operator,
      tag: 'Operator',
      ...creation,
      handle: ({ body, claim }) =>
        createBacktest(deps, EVERY_PLATFORM, '/admin/analytics/backtest', body, claim),
    }),
    'GET /admin/analytics/backtest': route({
      operationId: 'adminListBacktests',
      access: operator,
      tag: 'Operator',
      answers: { 200: Backtests },
      handle: async () => ok({ backtests: await listBacktests(deps.db, EVERY_PLATFORM) }),
    }),
    'GET /admin/analytics/backtest/{id}': route({
      operationId: 'adminReadBacktest',
      access: operator,
      tag: 'Operator',
      ...reading,
      handle: ({ params, query }) => answerBacktest(deps, EVERY_PLATFORM, params.id, query.format),
    }),
  };
}

async function answerBacktest(
  deps: BacktestRouteDeps,
  owner: ModeOwner,
  id: string,
  format: 'json' | 'html',
) {
  const backtest = await backtests.read(deps.db, owner, id);
  if (format === 'json') return ok({ backtest });
  if (backtest.report) return deps.showBacktest(backtest.report);
  return fail('CONFLICT', {
    message: `The backtest has no report: it is ${backtest.status}.`,
    details: { status: backtest.status },
  });
}
