import { ok } from '../../../kit/http/answer.js';
import { operator, type RouteTable, route } from '../../../kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { SweepDone, sweepPath } from './schemas.js';
import { runSweep, type Sweeps } from './sweeps.js';

/** Operations of the operator on the installation itself. */
export function operatorRoutes({
  clock,
  sweeps,
}: Pick<ServiceDeps, 'clock'> & { sweeps: Sweeps }): RouteTable {
  return {
    'POST /admin/sweeps/{name}': route({
      operationId: 'adminRunSweep',
      access: operator,
      tag: 'Operator',
      summary: 'Run a periodic sweep now',
      description:
        'Runs a sweep that also runs on a schedule. `decay` queues every score that was computed on an earlier day; ' +
        '`benchmarks` recomputes the figures of cohorts and the daily sums of analytics; `retention` deletes rows past their ' +
        'retention period, never an event. Work that another process is doing at the moment is skipped.',
      params: sweepPath,
      answers: { 200: SweepDone },
      errors: ['NOT_FOUND'],
      joinGroups: (answers) => {
        const done = answers.map(({ body }) => SweepDone.parse(body));
        const name = done[0]?.name ?? 'retention';
        return ok({ name, affected: done.reduce((sum, { affected }) => sum + affected, 0) });
      },
      handle: async ({ params }) => ok(await runSweep(sweeps, params.name, clock.now())),
    }),
  };
}
