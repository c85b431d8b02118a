import { assertNever } from '../../domain/errors.js';
import type { Tx } from '../../kit/db/database.js';
import type { Owner } from '../../kit/http/route.js';

/**
 * How many monitors or policies of a platform and mode are active. Whoever asks is alone with the answer until its
 * transaction ends, so that requests which come at once cannot pass a cap together: ask before the one more is written.
 */
export async function countActiveAlone(
  tx: Tx,
  kind: 'monitor' | 'policy',
  { platformId, livemode }: Owner,
): Promise<number> {
  const mode = livemode ? 'live' : 'test';
  await tx.execute('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `${kind} ${platformId} ${mode}`,
  ]);
  // Only now: a statement of its own sees what the one before has committed.
  const [row] = await tx.query<{ count: number }>(countOf(kind), [platformId, livemode]);
  return row?.count ?? 0;
}

function countOf(kind: 'monitor' | 'policy'): string {
  switch (kind) {
    case 'monitor':
      return 'select count(*)::integer as count from monitor where platform_id = $1 and livemode = $2 and is_active';
    case 'policy':
      return 'select count(*)::integer as count from policy where platform_id = $1 and livemode = $2 and is_active';
    default:
      return assertNever(kind);
  }
}
