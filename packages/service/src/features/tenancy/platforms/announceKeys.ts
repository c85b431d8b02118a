import type { Database, Tx } from '../../../kit/db/database.js';
import type { Wakes } from '../../../kit/db/wakes.js';
import type { IdSource } from '../../../kit/ids.js';
import { inSlices, SLICE_ROWS, type Slice, type Sweep } from '../../../ledger/sweep.js';
import { type EnvelopeDraft, writeEnvelopes } from '../../../outbox/envelopes.js';
import type { StoredKey } from './keySchemas.js';
import { type EndingKey, markEnding } from './keyStore.js';

/** Sends key.created. It reveals keys that were minted with a leaked one. */
export async function announceNewKey(
  tx: Tx,
  ids: IdSource,
  platformId: string,
  key: StoredKey,
  rotatedFrom: string | null,
): Promise<void> {
  const data = {
    ...factsOf(key),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    rotatedFrom,
    allowedCidrs: [...key.allowedCidrs],
  };
  const draft = { type: 'key.created', platformId, livemode: !key.isTest, subjectId: null, data } as const;
  await writeEnvelopes(tx, ids, key.createdAt, [draft]);
}

interface EndingDeps {
  db: Database;
  ids: IdSource;
  wakes: Pick<Wakes, 'raise'>;
}

const ANNOUNCED_AHEAD_MS = 7 * 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

/** Sweep: sends key.expiring once for each key that expires within seven days. */
export function announceEndingKeys({ db, ids, wakes }: EndingDeps): Sweep {
  return async (now, until) => {
    const by = new Date(now.getTime() + ANNOUNCED_AHEAD_MS);
    const announced = await inSlices(db, 'ending keys', until, (tx) => announce(tx, ids, now, by));
    if (announced > 0) wakes.raise('deliveries');
    return announced;
  };
}

async function announce(tx: Tx, ids: IdSource, now: Date, by: Date): Promise<Slice> {
  const ending = await tx.inShared((shared) => markEnding(shared, tx.ledgers.own, now, by, SLICE_ROWS));
  await writeEnvelopes(
    tx,
    ids,
    now,
    ending.map((key) => draftOf(key, now)),
  );
  return { affected: ending.length, isLast: ending.length < SLICE_ROWS };
}

function draftOf(key: EndingKey, now: Date): EnvelopeDraft {
  const msLeft = key.expiresAt.getTime() - now.getTime();
  return {
    type: 'key.expiring',
    platformId: key.platformId,
    livemode: !key.isTest,
    subjectId: null,
    data: {
      ...factsOf(key),
      expiresAt: key.expiresAt.toISOString(),
      lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
      hoursUntilExpiry: Math.round(msLeft / (HOUR_MS / 10)) / 10,
    },
  };
}

/** Never the key itself. */
function factsOf({ id, label, scopes, isTest, createdBy, createdAt }: StoredKey) {
  return { keyId: id, label, scopes: [...scopes], isTest, createdBy, createdAt: createdAt.toISOString() };
}
