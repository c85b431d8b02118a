import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { userPath } from '../../../domain/externalId.js';
import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { refuseTestKey } from '../../../ledger/requests/liveKey.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import { loadReport, type ReliabilityReport } from './loadReport.js';
import { Report, ReportQuery } from './schemas.js';

export interface ReportDeps {
  db: Database;
  clock: Clock;
  /** The report as a page to print. */
  showReport(report: ReliabilityReport): Answer;
}

/** A score on paper. */
export function reportRoutes(deps: ReportDeps): RouteTable {
  return {
    'GET /users/{id}/reliability-report': route({
      operationId: 'readReliabilityReport',
      access: keyFor('scores'),
      tag: 'Records',
      summary: 'Draw up a reliability report',
      description:
        'What the score is, what it rests on, how it came about and what speaks for and against it, in plain words: as data, or with ' +
        '`format=html` as a page to print, with the course of the score as a chart. It stands by itself and loads nothing. Live ' +
        'subjects only.',
      params: userPath,
      query: ReportQuery,
      answers: {
        200: { json: Report, media: [{ type: 'text/html', example: '<!doctype html>...' }] },
      },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED'],
      handle: (context) => drawUpReport(deps, context),
    }),
  };
}

async function drawUpReport(
  { db, clock, showReport }: ReportDeps,
  context: UserContext<z.output<typeof ReportQuery>>,
): Promise<Answer> {
  const { caller, params, query } = context;
  refuseTestKey(caller);
  const report = await loadReport(db, {
    subjectId: subjectOf(context),
    userId: params.id,
    platformName: caller.platformName,
    now: clock.now(),
  });
  if (!report) return fail('USER_NOT_FOUND');
  return query.format === 'html' ? showReport(report) : ok(report);
}
