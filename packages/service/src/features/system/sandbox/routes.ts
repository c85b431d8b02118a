import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { clearTestData } from './clearTestData.js';
import type { SandboxDeps } from './deps.js';
import { Reset, Seeded } from './schemas.js';
import { seedTestData } from './seedTestData.js';

/** A platform's own universe to try things in, apart from everything live (RULES T1). */
export function sandboxRoutes(deps: SandboxDeps): RouteTable {
  const testKeyOnly = { access: keyFor('events'), tag: 'Test mode', errors: ['TEST_MODE_ONLY'] as const };
  return {
    'POST /test/seed': route({
      operationId: 'seedTestData',
      ...testKeyOnly,
      summary: 'Fill the test mode with five synthetic subjects',
      description:
        'Their records end in five different bands, with real dates up to eleven months back. Seeding again adds nothing.',
      idempotent: true,
      answers: { 201: Seeded },
      handle: (context) => seedTestData(deps, context),
    }),
    'DELETE /test/data': route({
      operationId: 'deleteTestData',
      ...testKeyOnly,
      summary: 'Delete all test data of the platform',
      description:
        'Every test subject with its events and scores, all that counterparties were asked, campaigns, and what was remembered ' +
        'under the Idempotency-Keys of the test mode. Keys and the audit trail stay. Live data cannot be deleted by anyone.',
      answers: { 200: Reset },
      handle: (context) => clearTestData(deps, context),
    }),
  };
}
