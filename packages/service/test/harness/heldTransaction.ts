import type { Database, Tx } from '#kit/db/database.js';

/** A transaction that has done its work and waits. Returns what lets it do the rest and commit. */
export function heldTransaction(
  db: Database,
  work: (tx: Tx) => Promise<unknown>,
  rest: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    let release = () => {};
    const released = new Promise<void>((done) => {
      release = done;
    });
    const transaction = db.transaction(async (tx) => {
      await work(tx);
      resolve(() => {
        release();
        return transaction;
      });
      await released;
      await rest(tx);
    });
    transaction.catch(reject);
  });
}
