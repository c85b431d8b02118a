import { ok } from '../../../kit/http/answer.js';
import { operator, type RouteTable, route } from '../../../kit/http/route.js';
import { listAuditRuns } from '../../../ledger/audit/auditRuns.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { Audits, SweepDone, sweepPath } from './schemas.js';
import { runSweep, type Sweeps } from './sweeps.js';

/** Operations of the operator on the installation itself. */
export function operatorRoutes({
  db,
  clock,
  sweeps,
}: Pick<ServiceDeps, 'db' | 'clock'> & { sweeps: Sweeps }): RouteTable {
  return {
    'GET /admin/audits': route({
      operationId: 'adminListAudits',
      access: operator,
      tag: 'Operator',
      answers: { 200: Audits },
      handle: async () => ok({ audits: await listAuditRuns(db) }),
    }),
    'POST /admin/sweeps/{name}': route({
      operationId: 'adminRunSweep',
      access: operator,
      tag: 'Operator',
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
