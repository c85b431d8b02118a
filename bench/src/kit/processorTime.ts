import { readdirSync, readFileSync } from 'node:fs';
import { onServer } from '../../../packages/service/test/harness/postgresCluster.js';
import type { PostgresHome } from './bench.js';
import type { Server } from './server.js';

/** Processor time in milliseconds. */
export interface ProcessorTimes {
  readonly serviceMs: number;
  readonly postgresMs: number;
}

/** Processor time in milliseconds that the service, with its processes (PROCESSES), and the whole PostgreSQL server have used so far. */
export async function processorMs(server: Pick<Server, 'pid'>, home: PostgresHome): Promise<number> {
  const { serviceMs, postgresMs } = await processorTimes(server, home);
  return serviceMs + postgresMs;
}

/**
 * The same of each. It is less sensitive to other work on the machine than throughput is. Linux only.
 */
export async function processorTimes(
  { pid }: Pick<Server, 'pid'>,
  { databaseUrl }: PostgresHome,
): Promise<ProcessorTimes> {
  const postmaster = await onServer(databaseUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return statOf(rows[0]?.pid ?? 0)?.parent;
  });
  if (postmaster === undefined) throw new Error('the PostgreSQL server does not run on this machine');
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)));
  const childrenMs = (parent: number) =>
    all.reduce((sum, stat) => sum + (stat?.parent === parent ? stat.ownMs : 0), 0);
  return {
    serviceMs: (statOf(pid)?.ownMs ?? 0) + childrenMs(pid),
    postgresMs: childrenMs(postmaster) + (statOf(postmaster)?.endedMs ?? 0),
  };
}

interface ProcessStat {
  parent: number;
  ownMs: number;
  /** Of children that have ended. */
  endedMs: number;
}

/** proc(5): user and system time are fields 14 to 17, in ticks of 10 ms. Null: the process has ended. */
function statOf(pid: number): ProcessStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in brackets and may contain spaces.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent, ownMs: (user + system) * 10, endedMs: (endedUser + endedSystem) * 10 };
  } catch {
    return null;
  }
}
