import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { codeOf } from '#kit/db/errors.js';
import { PATIENCE_MS } from './eventually.js';
import { isProgram } from './findProgram.js';
import { freePort } from './freePort.js';
import { scratchFolder } from './scratchFolder.js';

/** A temporary PostgreSQL server on this machine. */
export interface PostgresCluster {
  url(database: string): string;
  createDatabase(name: string): Promise<void>;
  /** A clean stop that closes open connections (pg_ctl's "fast"). */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Kills the server; committed data must survive. */
  kill9(): Promise<void>;
  /** Stops all its processes where they are, as a machine does that hangs, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /**
   * Starts a hot standby that streams from this server under this application_name. `promote` and
   * `synchronous_standby_names` are left to the test.
   */
  addStandby(name: string): Promise<PostgresCluster>;
  /** Stops the server and deletes its files. */
  remove(): Promise<void>;
}

/** The program folder of the newest PostgreSQL (15 or later) on this machine, or undefined. */
export function findPostgres(): string | undefined {
  const packaged = existsSync(DEBIAN_HOME)
    ? readdirSync(DEBIAN_HOME).map((version) => join(DEBIAN_HOME, version, 'bin'))
    : [];
  const onPath = (process.env.PATH ?? '').split(delimiter);
  const found = [...packaged, ...onPath]
    .filter((folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres')))
    .map((folder) => ({ folder, version: majorVersion(folder) }))
    .filter(({ version }) => version >= OLDEST_VERSION)
    .sort((a, b) => b.version - a.version);
  return found[0]?.folder;
}

interface ClusterOptions {
  fsync: boolean;
  /** Default: 20. */
  maxPreparedTransactions?: number;
  /** Further settings, such as `shared_preload_libraries=pg_stat_statements`. */
  settings?: readonly string[];
}

/**
 * Creates and starts a server. `fsync: false` is for tests, `true` for realistic measurements.
 * Throws when no PostgreSQL is installed; as root it needs the user `postgres`, which the package
 * creates.
 */
export async function startPostgresCluster(options: ClusterOptions): Promise<PostgresCluster> {
  const programs = findPostgres();
  if (programs === undefined)
    throw new Error(`no PostgreSQL of version ${OLDEST_VERSION} or later is installed`);
  const owner = serverUser();
  const home = newHome(options.fsync, owner);
  const data = join(home, 'data');
  const settings = '-U postgres -A trust -E UTF8 --locale=C --no-sync'.split(' ');
  execFileSync(join(programs, 'initdb'), ['-D', data, ...settings], { ...owner, stdio: 'pipe' });
  const cluster = new Cluster(programs, home, data, await freePort(), owner, options);
  await cluster.start();
  return cluster;
}

function newHome(fsync: boolean, owner: Owner | undefined): string {
  const home = fsync ? mkdtempSync(join(tmpdir(), 'reliability-pg-')) : scratchFolder('reliability-pg-');
  chmodSync(home, 0o700);
  if (owner) chownSync(home, owner.uid, owner.gid);
  return home;
}

interface Owner {
  uid: number;
  gid: number;
}

class Cluster implements PostgresCluster {
  #server: ChildProcess | undefined;
  #log = '';

  constructor(
    private readonly programs: string,
    private readonly home: string,
    private readonly data: string,
    private readonly port: number,
    private readonly owner: Owner | undefined,
    private readonly options: ClusterOptions,
  ) {
    process.once('exit', () => this.#server?.kill('SIGINT'));
  }

  url(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  async createDatabase(name: string): Promise<void> {
    await onServer(this.url('postgres'), (client) =>
      client.query(`create database ${pg.escapeIdentifier(name)}`),
    );
  }

  async addStandby(name: string): Promise<PostgresCluster> {
    const home = newHome(this.options.fsync, this.owner);
    const data = join(home, 'data');
    const source = `host=127.0.0.1 port=${this.port} user=postgres application_name=${name}`;
    await promisify(execFile)(
      join(this.programs, 'pg_basebackup'),
      ['-d', source, '-D', data, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'],
      { ...this.owner },
    );
    const standby = new Cluster(this.programs, home, data, await freePort(), this.owner, this.options);
    await standby.start();
    return standby;
  }

  // After a kill the old backends may still hold the shared memory, so the first attempts can fail.
  async start(): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS;
    while (Date.now() < deadline) {
      if (this.#server === undefined) this.#launch();
      if (await isAnswering(this.url('postgres'))) return;
      await pause(50);
    }
    await this.kill9();
    throw new Error(`PostgreSQL did not start: ${this.#log.slice(-2_000)}`);
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT');
  }

  async kill9(): Promise<void> {
    await this.#end('SIGKILL');
  }

  freeze(): void {
    const { pid } = this.#running();
    process.kill(pid, 'SIGSTOP'); // first: it then starts no others
    for (const child of childrenOf(pid)) process.kill(child, 'SIGSTOP');
  }

  thaw(): void {
    const { pid } = this.#running();
    for (const child of [...childrenOf(pid), pid]) {
      try {
        process.kill(child, 'SIGCONT');
      } catch {
        // It has ended since it was listed.
      }
    }
  }

  #running(): { pid: number } {
    const pid = this.#server?.pid;
    if (pid === undefined) throw new Error('this PostgreSQL server does not run');
    return { pid };
  }

  async remove(): Promise<void> {
    if (this.#server) this.thaw();
    await this.stop();
    await rm(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  #launch(): void {
    const { fsync, maxPreparedTransactions = 20, settings: further = [] } = this.options;
    const settings = [
      ...(fsync ? LASTING : FLEETING),
      'max_connections=500',
      `max_prepared_transactions=${maxPreparedTransactions}`,
      ...further,
    ];
    const flags = settings.flatMap((setting) => ['-c', setting]);
    const directories = ['-D', this.data, '-h', '127.0.0.1', '-p', String(this.port), '-k', this.home];
    const [program, ...leading] = this.#dyingWithUs(join(this.programs, 'postgres'));
    const server = spawn(program, [...leading, ...directories, ...flags], {
      ...this.owner,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server.stderr.on('data', (chunk: Buffer) => {
      this.#log = (this.#log + chunk.toString()).slice(-10_000);
    });
    server.once('error', () => this.#forget(server));
    server.once('exit', () => this.#forget(server));
    this.#server = server;
  }

  // A killed test run cannot clean up; on Linux the kernel stops the server.
  #dyingWithUs(program: string): [string, ...string[]] {
    const setpriv = '/usr/bin/setpriv';
    return isProgram(setpriv) ? [setpriv, '--pdeathsig', 'INT', program] : [program];
  }

  #forget(server: ChildProcess): void {
    if (this.#server === server) this.#server = undefined;
  }

  async #end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    const exited = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await exited;
  }
}

const DEBIAN_HOME = '/usr/lib/postgresql';
const OLDEST_VERSION = 15;
const START_LIMIT_MS = PATIENCE_MS;
const FLEETING = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
const LASTING = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'];

/** Runs a function with one connection. */
export async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  client.on('error', () => undefined); // the running query rejects, too
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Drops a database and ends its sessions. PostgreSQL waits five seconds for them to end, which can be
 * too short on a busy machine: then this tries again.
 */
export async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  for (;;) {
    try {
      await client.query(`drop database if exists ${name} with (force)`);
      return;
    } catch (error) {
      if (codeOf(error) !== IN_USE) throw error;
    }
  }
}

const IN_USE = '55006'; // object_in_use

/** A unique database name. */
export function freshName(prefix: string): string {
  return `${prefix}_${randomBytes(6).toString('hex')}`;
}

function childrenOf(pid: number): number[] {
  const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return listed.trim().split(/\s+/).map(Number);
}

async function isAnswering(url: string): Promise<boolean> {
  return onServer(url, (client) => client.query('select 1')).then(
    () => true,
    () => false,
  );
}

// The server refuses to run as root.
function serverUser(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }));
  return { uid: id('-u'), gid: id('-g') };
}

function majorVersion(programs: string): number {
  try {
    const text = execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    return Number(/ (\d+)/.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
