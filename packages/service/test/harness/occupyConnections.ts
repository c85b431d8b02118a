import type { Database } from '#kit/db/database.js';

/**
 * Holds this many connections of a pool, each in an open transaction. Resolves once all are held,
 * to a function that ends the transactions.
 */
export async function occupyConnections(db: Database, count: number): Promise<() => Promise<unknown>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const transactions: Promise<void>[] = [];
  const begun = Array.from(
    { length: count },
    () =>
      new Promise<void>((resolve, reject) => {
        const transaction = db.transaction(() => {
          resolve();
          return released;
        });
        transaction.catch(reject);
        transactions.push(transaction);
      }),
  );
  await Promise.all(begun);
  return () => {
    release();
    return Promise.all(transactions);
  };
}
