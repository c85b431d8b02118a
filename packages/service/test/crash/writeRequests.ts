import type { Random } from '#kit/seededRandom.js';

/** A write request, byte for byte the same at each attempt. */
export interface WriteRequest {
  readonly path: '/events' | '/events/batch';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The numbers of its events, each in `metadata.n`. */
  readonly numbers: readonly number[];
}

/** An accepted write: the ids of its events in the order of `numbers`. */
export interface TakenRequest extends WriteRequest {
  readonly eventIds: readonly string[];
}

const SUBJECTS = 60;

/** Makes writes in every exactly-once way of the API. Every event has a unique number. */
export function writeRequestMaker(random: Random, runName: string): () => WriteRequest {
  let lastNumber = 0;
  let lastKey = 0;
  const nextKey = () => `${runName}-request-${++lastKey}`;

  return () => {
    const chance = random.fraction();
    if (chance < 0.35) return single({ headerKey: true });
    if (chance < 0.6) return single({ headerKey: false });
    if (chance < 0.85) return batch({ headerKey: false, itemKeys: true });
    if (chance < 0.95) return batch({ headerKey: true, itemKeys: false });
    return batch({ headerKey: true, itemKeys: true });
  };

  function single({ headerKey }: { headerKey: boolean }): WriteRequest {
    const event = makeEvent(!headerKey);
    return {
      path: '/events',
      headers: headersOf(headerKey),
      body: JSON.stringify(event),
      numbers: [lastNumber],
    };
  }

  function batch(how: { headerKey: boolean; itemKeys: boolean }): WriteRequest {
    const numbers: number[] = [];
    const events = Array.from({ length: random.whole(2, 12) }, () => {
      const event = makeEvent(how.itemKeys);
      numbers.push(lastNumber);
      return event;
    });
    return {
      path: '/events/batch',
      headers: headersOf(how.headerKey),
      body: JSON.stringify({ events }),
      numbers,
    };
  }

  function makeEvent(withItemKey: boolean): object {
    lastNumber += 1;
    const completedAt = new Date(Date.now() - random.whole(0, 300) * 86_400_000).toISOString();
    return {
      userId: `subject-${random.whole(1, SUBJECTS)}`,
      eventType: random.pick(['TRANSACTION_COMPLETED', 'CONTRACT_FULFILLED', 'CONTRACT_BREACHED']),
      stakeLevel: random.pick(['HIGH', 'MEDIUM', 'LOW']),
      isVerified: random.fraction() < 0.7,
      completedAt,
      dueDate: completedAt,
      metadata: { n: lastNumber },
      ...(withItemKey ? { idempotencyKey: `${runName}-item-${lastNumber}` } : {}),
    };
  }

  function headersOf(headerKey: boolean): Record<string, string> {
    return headerKey ? { 'Idempotency-Key': nextKey() } : {};
  }
}
