import { fail } from '#domain/errors.js';
import { seal, unseal } from '#kit/crypto.js';
import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { insertRow, pick } from '#kit/db/rows.js';
import { type Answer, REPLAYED } from '#kit/http/answer.js';
import type { IdempotencyClaim } from '#kit/http/route.js';

interface IdempotencyOptions {
  now: Date;
  /** The answer holds a secret: it is stored encrypted, and only the same credential can replay it. */
  isSecret?: boolean;
}

export const ERASED_STATUS = 410;

export type ClaimsUnderWay = ReturnType<typeof trackClaims>;

/** Keys in use in this process: a concurrent request with the same key is refused as retryable. */
export function trackClaims() {
  const underWay = new Set<string>();
  return {
    // Not async: nearly every write is without a key, and needs no further promise.
    during<T>(claim: IdempotencyClaim | null, work: () => Promise<T>): Promise<T> {
      return claim ? once(claim, work) : work();
    },
  };

  async function once<T>({ keyId }: IdempotencyClaim, work: () => Promise<T>): Promise<T> {
    if (underWay.has(keyId)) fail('IDEMPOTENCY_KEY_IN_USE');
    underWay.add(keyId);
    try {
      return await work();
    } finally {
      underWay.delete(keyId);
    }
  }
}

export type WithIdempotency = ReturnType<typeof createWithIdempotency>;

/**
 * Runs a write at most once per Idempotency-Key: key, answer and the rows that `work` writes commit
 * together. Only successful answers are stored, so a failed request can be repeated with its key.
 * Appends do not use this: they store their claims inside the group commit.
 */
export function createWithIdempotency(db: Database, claims: ClaimsUnderWay) {
  return <Result extends Answer>(
    claim: IdempotencyClaim | null,
    options: IdempotencyOptions,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result> =>
    claims.during(claim, () =>
      db.transaction(async (tx) => {
        if (!claim) return work(tx);
        const isNew = await insertClaim(tx, claim, options.now);
        // Stored by an earlier run of the same operation.
        if (!isNew) return (await replay(tx, claim)) as Result;
        const answer = await work(tx);
        await storeAnswer(tx, claim, answer, options.isSecret ?? false);
        return answer;
      }),
    );
}

/** False if the key was used before. Blocks while another process uses the key. */
async function insertClaim(tx: Tx, claim: IdempotencyClaim, now: Date): Promise<boolean> {
  const row = { ...pick(claim, 'keyId', 'platformId', 'livemode', 'fingerprint'), createdAt: now };
  return (await insertRow(tx, 'idempotency', row, 'on conflict (key_id) do nothing')) === 1;
}

async function storeAnswer(
  tx: Tx,
  claim: IdempotencyClaim,
  answer: Answer,
  isSecret: boolean,
): Promise<void> {
  const text = JSON.stringify(answer.body);
  await tx.execute('update idempotency set status = $2, answer = $3, sealed = $4 where key_id = $1', [
    claim.keyId,
    answer.status,
    isSecret ? null : text,
    isSecret ? seal(text, claim.secret, SEAL_CONTEXT) : null,
  ]);
}

const SEAL_CONTEXT = 'idempotent answer';

async function replay(tx: Tx, claim: IdempotencyClaim): Promise<Answer> {
  const stored = (await findClaims(tx, [claim.keyId])).get(claim.keyId);
  if (!stored) fail('IDEMPOTENCY_KEY_IN_USE');
  assertSameRequest(stored, claim);
  if (stored.sealed === null) return { status: stored.status, body: stored.answer, headers: REPLAYED };
  const opened = unseal(stored.sealed, claim.secret, SEAL_CONTEXT);
  if (opened === null) {
    return fail('CONFLICT', {
      message:
        'The stored answer holds a secret and belongs to another credential. Repeat the request with the credential that made it.',
    });
  }
  return { status: stored.status, body: JSON.parse(opened), headers: REPLAYED };
}

export interface StoredClaim {
  fingerprint: Buffer;
  status: number;
  answer: object;
  sealed: Buffer | null;
}

export async function findClaims(
  db: Queryable,
  keyIds: readonly string[],
): Promise<Map<string, StoredClaim>> {
  const rows = await db.query<StoredClaim & { keyId: string }>(
    'select key_id, fingerprint, status, answer, sealed from idempotency where key_id = any($1::uuid[])',
    [keyIds],
  );
  return new Map(rows.map((row) => [row.keyId, row]));
}

/** Throws IDEMPOTENCY_KEY_REUSED, and SUBJECT_ERASED if its answer was erased. */
export function assertSameRequest(stored: StoredClaim, claim: IdempotencyClaim): void {
  if (stored.status === ERASED_STATUS) fail('SUBJECT_ERASED');
  if (!stored.fingerprint.equals(claim.fingerprint)) fail('IDEMPOTENCY_KEY_REUSED');
}
