import { operator, type RouteTable, route } from '../../../kit/http/route.js';
import { type OperatorDeps, runSweep } from './runSweep.js';
import { SweepDone, sweepPath } from './schemas.js';

/** What the operator does for the installation itself. */
export function operatorRoutes(deps: OperatorDeps): RouteTable {
  return {
    'POST /admin/sweeps/{name}': route({
      operationId: 'adminRunSweep',
      access: operator,
      tag: 'Operator',
      summary: 'Run a periodic sweep now',
      description:
        'The same work that runs by itself from time to time. `decay` queues every score whose ages are of an earlier day; ' +
        '`benchmarks` makes the figures of cohorts anew and sums up days for analytics; `retention` deletes what has been kept long enough, never an event. A sweep that another process is at is left to it.',
      params: sweepPath,
      answers: { 200: SweepDone },
      errors: ['NOT_FOUND'],
      handle: (context) => runSweep(deps, context),
    }),
  };
}
