import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { hasPostgres } from '#harness/engines.js';
import { eventually, SOON } from '#harness/eventually.js';
import { onServer } from '#harness/postgresCluster.js';
import { cookieOf, FROM_CONSOLE, signIn } from '../console/consoleFixtures.js';
import { call, LIVE_KEY, platformWithLimit, TEST_KEY } from '../crash/api.js';
import { type ChildService, refused, startChild } from '../startup/childService.js';
import { cleanUp, emptyDatabase, newFolder } from '../startup/places.js';
import { clientPortsOf } from './connectionsOf.js';
import { bearer, type KeptConnection, keepConnection } from './keptConnection.js';

const ADMIN_SECRET = 'admin-secret-of-the-processes';
afterAll(cleanUp);

describe.runIf(hasPostgres)('PROCESSES=2', () => {
  let service: ChildService;
  let url: string;
  let databaseUrl: string;

  beforeAll(async () => {
    const size = { PROCESSES: '2', DATABASE_POOL_SIZE: '8', MAX_CONNECTIONS: '400' };
    const env = await newEnv();
    databaseUrl = env.DATABASE_URL;
    service = startChild({ ...env, ...size });
    url = await service.address();
    await service.printed(/"process":2,.*"msg":"ready"/);
  });

  /** A process listens before it is ready when its database keeps it waiting, and answers 503 then. */
  async function bothRun(): Promise<void> {
    const running = async () => JSON.parse((await call(url, 'GET', '!/status.json')).text).processes.running;
    await eventually(async () => (await running()) === 2);
    await eventually(() => pidsOf(service).length === 2);
  }

  /** Each has a connection of its own until the test ends. */
  function newClients(count: number, headers?: Record<string, string>): KeptConnection[] {
    const clients = Array.from({ length: count }, () => keepConnection(url, headers));
    onTestFinished(() => clients.forEach((client) => void client.close()));
    return clients;
  }

  function expectBothServe(clients: readonly KeptConnection[]): void {
    for (const pid of pidsOf(service)) {
      const ports = clientPortsOf(pid);
      expect(clients.filter((client) => ports.has(client.port))).not.toEqual([]);
    }
  }

  test('runs two processes on one port, whose log lines say which of them wrote', () => {
    const ready = linesOf(service).filter(({ msg }) => msg === 'ready');
    expect(ready.map(({ process }) => process).sort()).toEqual([1, 2]);
    expect(new Set(ready.map(({ address }) => address)).size).toBe(1);
    expect(new Set(ready.map(({ pid }) => pid)).size).toBe(2);
  });

  test('migrates once and prints the first keys once', () => {
    expect(service.output().match(/the database was migrated/g)).toHaveLength(1);
    expect(service.output().match(/first secrets/g)).toHaveLength(1);
  });

  test('holds a rate limit over both processes', async () => {
    const key = await platformWithLimit(url, ADMIN_SECRET, 7);
    const clients = newClients(20, bearer(key));
    const statuses = await Promise.all(
      clients.map(async (client) => (await client.send('GET', '/usage')).status),
    );
    expectBothServe(clients);
    expect(statuses.filter((status) => status === 200)).toHaveLength(7);
    expect(statuses.filter((status) => status === 429)).toHaveLength(13);
  });

  test('keeps a quarter of MAX_CONNECTIONS open for one address, and answers all others', async () => {
    const { port, hostname: host } = new URL(url);
    const sockets = Array.from({ length: 600 }, () =>
      connect({ port: Number(port), host }).on('error', () => undefined),
    );
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (let count = 0; count < 10; count += 1) {
      const asked = get({ port, host, localAddress: '127.0.0.2', path: '/health', agent: false });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      expect(answer.statusCode).toBe(200);
    }
    await expect.poll(() => sockets.filter(({ closed }) => !closed).length, SOON).toBeLessThanOrEqual(100);
    for (const socket of sockets) socket.destroy();
  });

  test('adds up the metrics of both processes, whichever answers', async () => {
    const clients = newClients(10);
    const before = await answeredEnums(url);
    for (const client of clients) await client.send('GET', '/enums');
    expectBothServe(clients);
    // A process that does not answer within a second counts with its last metrics.
    for (let scrape = 0; scrape < 4; scrape += 1) {
      await expect.poll(() => answeredEnums(url)).toBe(before + 10);
    }
  });

  describe('the console', () => {
    /** Clients of both processes that send the cookie of a session. */
    async function clientsOf(secret: string, more: Record<string, string> = {}) {
      const cookie = cookieOf(await signIn(url, secret));
      const clients = newClients(12, { Cookie: cookie, ...FROM_CONSOLE, ...more });
      const all = async (method: string, path: string) =>
        (await Promise.all(clients.map((client) => client.send(method, `!/console${path}`)))).map(
          ({ status }) => status,
        );
      const opened = await all('GET', '/api/session');
      expect(opened).toEqual(clients.map(() => 200));
      expectBothServe(clients);
      return { clients, all };
    }
    const isShut = (statuses: readonly number[]) => statuses.every((status) => status === 401);

    test('the printed link signs in once, whichever processes are asked at the same time', async () => {
      const [, token = ''] = await service.printed(/#sign-in=(\S+)/);
      const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(url, token)));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 401, 401, 401]);
    });

    test('a session works in both processes, and signing out in one ends it in both', async () => {
      const { clients, all } = await clientsOf(LIVE_KEY);
      const [one] = clients;
      expect((await one?.send('DELETE', '!/console/session'))?.status).toBe(204);
      await eventually(async () => isShut(await all('GET', '/api/users')));
    });

    test('a session ends in both processes when its key is revoked in one', async () => {
      const made = await call(url, 'POST', '/platform/keys', { body: '{"label":"x"}' });
      const { id, key } = JSON.parse(made.text);
      const { all } = await clientsOf(key);
      await call(url, 'DELETE', `/platform/keys/${id}`);
      await eventually(async () => isShut(await all('GET', '/api/session')));
    });

    test('the operator who views a platform through both processes is noted once', async () => {
      const headers = { 'X-Admin-Secret': ADMIN_SECRET };
      const { platforms } = JSON.parse((await call(url, 'GET', '/admin/platforms', { headers })).text);
      const { id } = platforms.find(({ name }: { name: string }) => name === 'Default');
      const viewing = { 'X-Console-Platform': id, 'X-Console-Mode': 'live' };
      const { clients, all } = await clientsOf(ADMIN_SECRET, viewing);
      expect(await all('GET', '/api/users')).toEqual(clients.map(() => 200));
      const noted = async () => {
        const { text } = await call(url, 'GET', '/activity?limit=100');
        return text.split('"CONSOLE_VIEWED_AS_PLATFORM"').length - 1;
      };
      // The newest rows can be left out while other files have transactions open.
      await expect.poll(noted).toBe(1);
    });
  });

  test('shares the pool of connections out', async () => {
    const connections = await onServer(inject('testPostgresUrl') ?? '', async (admin) => {
      const { rows } = await admin.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = $1 and application_name = 'reliability-score' and query not like 'listen%'`,
        [new URL(databaseUrl).pathname.slice(1)],
      );
      return rows[0]?.count ?? 0;
    });
    // One more of each process listens.
    expect(connections).toBeLessThanOrEqual(8 + 2);
  });

  test('both processes give receipts of the log that the first one keeps', async () => {
    const clients = newClients(6);
    const answers = await Promise.all(
      clients.map((client, index) => client.send('POST', '/events?receipt=1', eventOf(`receipt-${index}`))),
    );
    expectBothServe(clients);
    // On a busy machine a receipt can come after the answer.
    for (const [index, client] of clients.entries()) {
      const { eventId } = JSON.parse(answers[index]?.text ?? '{}') as { eventId: string };
      await eventually(async () => (await client.send('GET', `/events/${eventId}/receipt`)).status === 200);
    }
  });

  test('kill -9 of a process breaks its own connections alone, loses no event, and it is started again', async () => {
    const clients = newClients(8);
    for (const client of clients) await client.send('GET', '/usage');
    const [doomed = 0] = pidsOf(service);
    const broken = new Set<KeptConnection>();
    const acknowledged: string[] = [];
    let isOver = false;
    const working = clients.map(async (client, index) => {
      while (!isOver) {
        try {
          const { status, text } = await client.send('POST', '/events', eventOf(`worker-${index}`));
          expect(status).toBe(201);
          acknowledged.push(JSON.parse(text).eventId);
        } catch {
          broken.add(client);
          return;
        }
      }
    });
    await eventually(() => acknowledged.length > 100);
    const before = await answeredEnums(url);
    const doomedPorts = clientPortsOf(doomed);
    const theirs = clients.filter(({ port }) => doomedPorts.has(port));
    process.kill(doomed, 'SIGKILL');
    await service.printed(/a process of the service ended/);
    const countAtDeath = acknowledged.length;
    await eventually(() => acknowledged.length > countAtDeath + 100);
    await bothRun();
    isOver = true;
    await Promise.all(working);

    expect(theirs.length).toBeGreaterThan(0);
    expect(theirs.length).toBeLessThan(clients.length);
    expect(broken).toEqual(new Set(theirs));
    // The newest rows can be left out while other files have transactions open.
    await expect
      .poll(async () => {
        const { text } = await call(url, 'GET', '/events/export?format=csv');
        return acknowledged.filter((id) => !text.includes(`\n${id}`));
      })
      .toEqual([]);
    expect(new Set(pidsOf(service))).not.toContain(doomed);
    // The killed process kept the log.
    await eventually(async () => (await metric(url, /^log_queue_depth (\d+)$/m)) === 0);
    // Prometheus would take a sum that falls for a restart of all.
    expect(await answeredEnums(url)).toBeGreaterThanOrEqual(before);
    expect(await metric(url, /^process_restarts (\d+)$/m)).toBe(1);
  });

  test('a connection on its way to a process that dies is closed, so its client does not wait', async () => {
    const [doomed = 0] = pidsOf(service);
    process.kill(doomed, 'SIGSTOP');
    // One of them is handed to the process that does not run.
    let answered = 0;
    const outcomes = Array.from({ length: 4 }, () =>
      outcomeOf(url).then((outcome) => {
        if (outcome === 'answered') answered += 1;
        return outcome;
      }),
    );
    await eventually(() => answered === 3);
    process.kill(doomed, 'SIGKILL');
    expect((await Promise.all(outcomes)).sort()).toEqual(['answered', 'answered', 'answered', 'closed']);
    await bothRun();
  });

  test('SIGTERM to the parent answers what is in flight, and all processes exit with 0', async () => {
    const acknowledged: string[] = [];
    const failures: unknown[] = [];
    const working = Array.from({ length: 8 }, async (_, index) => {
      for (;;) {
        const body = JSON.stringify(eventOf(`stopped-${index}`));
        const answer = await call(url, 'POST', '/events', { body }).catch(() => null);
        if (answer === null) return;
        if (answer.status === 201) acknowledged.push(JSON.parse(answer.text).eventId);
        else failures.push(answer.text);
      }
    });
    await eventually(() => acknowledged.length > 50);
    const pids = pidsOf(service);
    service.signal('SIGTERM');
    expect(await service.ended()).toBe(0);
    await Promise.all(working);
    expect(failures).toEqual([]);
    expect(
      linesOf(service)
        .filter(({ msg }) => msg === 'stopped')
        .map(({ pid }) => pid),
    ).toEqual(expect.arrayContaining(pids));
    const stored = await onServer(databaseUrl, async (admin) => {
      const { rows } = await admin.query<{ id: string }>('select event_id::text as id from event');
      return new Set(rows.map(({ id }) => id));
    });
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  });
});

test.runIf(hasPostgres)(
  'processes whose parent is killed end, too, and a start that fails says why once and exits as one process does',
  async () => {
    const env = { ...(await newEnv()), PROCESSES: '2' };
    const service = startChild(env);
    await service.printed(/"process":2,.*"msg":"ready"/);
    const pids = pidsOf(service);
    service.signal('SIGKILL');
    await eventually(() => pids.every((pid) => !isAlive(pid)));
    const output = await refused({ ...env, DATA_KEY: 'another-key-of-at-least-thirty-two-characters' }, 1);
    expect(output.match(/DATA_KEY differs/g)).toHaveLength(1);
  },
);

async function newEnv() {
  return {
    DATABASE_URL: await emptyDatabase(),
    DATA_DIR: newFolder(),
    ADMIN_SECRET,
    BOOTSTRAP_LIVE_KEY: LIVE_KEY,
    BOOTSTRAP_TEST_KEY: TEST_KEY,
    VELOCITY_MAX_PER_HOUR: '1000000000',
    // The tests poll /status.json.
    ANONYMOUS_RATE_LIMIT_PER_MINUTE: '1000000',
  };
}

// biome-ignore lint/suspicious/noExplicitAny: lines of many shapes
function linesOf(service: ChildService): any[] {
  return service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

/** The processes that run, by their last log line `ready`. */
function pidsOf(service: ChildService): number[] {
  const ready = linesOf(service).filter(({ msg }) => msg === 'ready');
  return ready.map(({ pid }) => pid as number).filter(isAlive);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function answeredEnums(url: string): Promise<number> {
  return metric(url, /^http_requests_total\{method="GET",route="\/api\/v1\/enums",status="200"\} (\d+)$/m);
}

async function metric(url: string, pattern: RegExp): Promise<number> {
  const { text } = await call(url, 'GET', '!/metrics');
  return Number(pattern.exec(text)?.[1] ?? 0);
}

function eventOf(userId: string) {
  return { userId, eventType: 'TRANSACTION_COMPLETED' };
}

/** Sends one request on a connection of its own. */
function outcomeOf(url: string): Promise<'answered' | 'closed'> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
      .on('error', () => undefined)
      .on('close', () => resolve('closed'))
      .on('data', () => {
        resolve('answered');
        socket.destroy();
      });
    socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
  });
}
