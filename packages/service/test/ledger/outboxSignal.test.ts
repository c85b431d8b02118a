import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutboxSignal } from '../../src/outbox/outboxSignal.js';
import { breadth, openTestDatabase, type TestDatabase } from '../harness/engines.js';
import { quietLog } from '../harness/quietLog.js';

describe.each(breadth)('the signal of the outbox on %s', (engine) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  function signalled() {
    const signal = createOutboxSignal(database.db, quietLog as never);
    const calls = { written: 0, queued: 0 };
    signal.onWritten(() => {
      calls.written += 1;
    });
    signal.onQueued(() => {
      calls.queued += 1;
    });
    return { signal, calls };
  }

  test('envelopes without subscribers wake streams, and no dispatcher', () => {
    const { signal, calls } = signalled();
    signal.written(false);
    expect(calls).toEqual({ written: 1, queued: 0 });
    signal.written();
    expect(calls).toEqual({ written: 2, queued: 1 });
  });
});
