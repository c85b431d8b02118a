import type { BacktestReport } from '../../../domain/backtest/report.js';
import { fail } from '../../../domain/errors.js';
import { ok, type TypedAnswer } from '../../../kit/http/answer.js';
import { keyFor, operator, type RouteTable, route } from '../../../kit/http/route.js';
import { type BacktestDeps, createBacktest, EVERY_PLATFORM, readBacktest } from './createBacktest.js';
import type { BookOwner } from './ledgerStore.js';
import {
  BacktestAnswer,
  BacktestBody,
  BacktestCreated,
  BacktestQuery,
  Backtests,
  backtestPath,
} from './schemas.js';
import { listBacktests } from './store.js';

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
  owner: BookOwner,
  id: string,
  format: 'json' | 'html',
) {
  const backtest = await readBacktest(deps, owner, id);
  if (format === 'json') return ok({ backtest });
  if (backtest.report) return deps.showBacktest(backtest.report);
  return fail('CONFLICT', {
    message: `The backtest has no report: it is ${backtest.status}.`,
    details: { status: backtest.status },
  });
}
