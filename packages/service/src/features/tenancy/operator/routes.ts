import { z } from 'zod';
import { ok } from '#kit/http/answer.js';
import { instant } from '#kit/http/query.js';
import { operator, type RouteTable, route } from '#kit/http/route.js';
import { listAuditRuns } from '#ledger/audit/auditRuns.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { runSweep, type Sweeps, sweepNames } from './sweeps.js';

const sweepPath = z.object({
  name: z.string().max(255).meta({ enum: sweepNames }),
});

const SweepDone = z
  .object({
    name: z.enum(sweepNames),
    affected: z.int().min(0),
  })
  .meta({ id: 'SweepDone' });

const count = z.int().min(0);
const differences = count;

const GroupAudit = z.object({
  group: count,
  ledger: z.object({
    subjects: count,
    events: count,
    snapshots: count,
    differences,
  }),
  log: z.object({
    leaves: count,
    checkpoints: count,
    facts: count,
    thinned: count,
    erased: count,
    waiting: count,
    differences,
  }),
});

export const Audits = z
  .object({
    audits: z.array(
      z.object({
        id: z.uuid(),
        startedAt: instant,
        endedAt: instant,
        differences,
        groups: z.array(GroupAudit),
      }),
    ),
  })
  .meta({ id: 'Audits' });

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
