import { ok } from '#kit/http/answer.js';
import { keyFor, type RouteTable, route } from '#kit/http/route.js';
import { clearTestData, type SandboxDeps, seedTestData } from './changeTestData.js';
import { Reset, Seeded } from './schemas.js';

/** A platform's sandbox, separate from all live data (RULES T1). */
export function sandboxRoutes(deps: SandboxDeps): RouteTable {
  const testKeyOnly = { access: keyFor('events'), tag: 'Test mode', errors: ['TEST_MODE_ONLY'] as const };
  return {
    'POST /test/seed': route({
      operationId: 'seedTestData',
      ...testKeyOnly,
      idempotent: true,
      answers: { 201: Seeded },
      handle: ({ caller, claim }) => seedTestData(deps, caller, claim),
    }),
    'DELETE /test/data': route({
      operationId: 'deleteTestData',
      ...testKeyOnly,
      answers: { 200: Reset },
      handle: async ({ caller }) => ok(await clearTestData(deps, caller)),
    }),
  };
}
