import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/start/config.js';
import { planProcesses } from '../../src/start/processPlan.js';

const onServer = { DATABASE_URL: 'postgres://user@host/name' };
const plan = (env: Record<string, string>, processors = 4) => planProcesses(readConfig(env), processors);

describe('PROCESSES', () => {
  test('is one process, with all connections, unless it is set', () => {
    expect(plan(onServer)).toEqual({ count: 1, poolSize: 10, workerPoolSize: null, maxConnections: 5000 });
  });

  test('auto is one process for each processor on a server, and one on the embedded database', () => {
    expect(plan({ ...onServer, PROCESSES: 'auto' }).count).toBe(4);
    expect(plan({ PROCESSES: 'auto' }).count).toBe(1);
  });

  test('shares out the connections that are set, and by default gives each process five', () => {
    const env = { ...onServer, PROCESSES: '4', DATABASE_POOL_SIZE: '30', MAX_CONNECTIONS: '1000' };
    expect(plan(env)).toEqual({ count: 4, poolSize: 7, workerPoolSize: null, maxConnections: 250 });
    expect(plan({ ...onServer, PROCESSES: '4' }).poolSize).toBe(5);
    expect(plan({ ...onServer, PROCESSES: '2' }).poolSize).toBe(5);
  });

  test.each([
    [{}, [6, 4]],
    [{ DATABASE_POOL_SIZE: '2' }, [1, 1]],
    [{ DATABASE_POOL_SIZE: '1' }, [1, null]],
    [{ PROCESSES: '2' }, [3, 2]],
    [{ ROLE: 'api' }, [10, null]],
  ])('divides the connections of a process with a worker thread: %j', (env, expected) => {
    const { poolSize, workerPoolSize } = planProcesses(readConfig({ ...onServer, ...env }), 4, true);
    expect([poolSize, workerPoolSize]).toEqual(expected);
  });

  test('refuses more processes than the connections serve, and says what to set', () => {
    const env = { ...onServer, PROCESSES: '6', DATABASE_POOL_SIZE: '9' };
    expect(() => plan(env)).toThrow(
      /DATABASE_POOL_SIZE=9 .* Set it to 12 or more, or set PROCESSES to 4 or less/,
    );
  });

  test('refuses several processes on the embedded database', () => {
    expect(() => plan({ PROCESSES: '2' })).toThrow(/PROCESSES=2 needs DATABASE_URL/);
  });

  test.each(['0', '1.5', 'many', '129'])('refuses %s', (value) => {
    expect(() => readConfig({ PROCESSES: value })).toThrow(
      /PROCESSES=.*: must be auto, or a number from 1 to 128/,
    );
  });
});
