import { fail } from '../../../domain/errors.js';
import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { KeyCaller } from '../../../kit/http/route.js';
import type { IdSource } from '../../../kit/ids.js';
import type { Ledger } from '../../../ledger/append/append.js';
import type { RecomputeSignal } from '../../../ledger/recompute/signal.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';

/** What the sandbox operations work with. */
export interface SandboxDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  ledger: Ledger;
  withIdempotency: WithIdempotency;
  signal: RecomputeSignal;
}

/** The live ledger is neither seeded nor reset, whoever asks. */
export function assertTestMode(caller: KeyCaller): void {
  if (caller.livemode) fail('TEST_MODE_ONLY', { message: 'This works with a test key only (crd_test_...).' });
}
