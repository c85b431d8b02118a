import { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { endWith, type Tx } from '#kit/db/database.js';
import { useDatabase } from './useDatabase.js';

// Each message holds the only connection for two changes of threads, which cost as much as a short statement.
const opened = useDatabase('pglite');
beforeAll(() => opened.db.query('select 1')); // opens the session
afterEach(() => vi.restoreAllMocks());

/** It begins four seconds after the start, which a slow machine reaches in the middle of a test. */
const HOUSEKEEPING = /pg_stat_user_tables|pg_control_checkpoint/;

async function messagesOf(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  const sent: string[] = [];
  const send = Worker.prototype.postMessage;
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, message, transfer) {
    sent.push(Buffer.from(message.bytes).toString('latin1'));
    send.call(this, message, transfer);
  });
  await opened.db.transaction(work);
  return sent.filter((bytes) => !HOUSEKEEPING.test(bytes)).length;
}

test('what opens a transaction of the embedded database travels with its first statements', async () => {
  const both = (tx: Tx) => Promise.all([tx.query('select 1'), tx.query('select 2')]);
  expect(await messagesOf(both)).toBe(2);
});

test('a transaction that ends with its only statement is one message', async () => {
  expect(await messagesOf((tx) => endWith(tx, tx.query('select 1')))).toBe(1);
});
