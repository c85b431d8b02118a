import type pg from 'pg';
import type { Connecting } from './connecting.js';
import type { DatabaseLog } from './types.js';

/** LISTEN on a separate connection, opened for the first channel and reopened when it is lost. */
export class PostgresListener {
  readonly #connecting: Connecting;
  readonly #log: DatabaseLog;
  readonly #channels: Channels;
  #connection: Promise<Connection | undefined> | undefined;
  #redial: NodeJS.Timeout | undefined;
  #failures = 0;
  #hadConnection = false;
  #isClosed = false;

  constructor(connecting: Connecting, channels: Channels, log: DatabaseLog) {
    this.#connecting = connecting;
    this.#log = log;
    this.#channels = channels;
    if (channels.names.length > 0) void this.follow();
  }

  /** Listens to all channels that have listeners. If the server is unavailable, it does so later. */
  async follow(): Promise<void> {
    this.#connection ??= this.#dial();
    await (await this.#connection)?.follow(this.#channels.names);
  }

  async unfollow(channel: string): Promise<void> {
    await (await this.#connection)?.unfollow(channel);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#redial);
    await (await this.#connection)?.close();
  }

  async #dial(): Promise<Connection | undefined> {
    const connection = new Connection(this.#connecting, this.#channels, (reason) => this.#lose(reason));
    try {
      await connection.open();
      await connection.follow(this.#channels.names);
    } catch (error) {
      await connection.close();
      this.#lose(error);
      return undefined;
    }
    this.#failures = 0;
    if (this.#hadConnection) this.#channels.wakeAll();
    this.#hadConnection = true;
    return connection;
  }

  #lose(reason: unknown): void {
    if (this.#isClosed) return;
    this.#log.warn({ err: reason }, 'lost the connection for notifications; reconnecting');
    const delayMs = Math.min(FIRST_REDIAL_MS * 2 ** this.#failures, LAST_REDIAL_MS);
    this.#failures += 1;
    clearTimeout(this.#redial);
    this.#redial = setTimeout(() => {
      this.#connection = this.#dial();
    }, delayMs).unref();
  }
}

/** One client connection. It reports its loss once, except after `close`. */
class Connection {
  readonly #client: pg.Client;
  readonly #followed = new Set<string>();
  readonly #onLost: (reason: unknown) => void;
  #heartbeat: NodeJS.Timeout | undefined;
  #isOver = true;

  constructor({ config, Client }: Connecting, channels: Channels, onLost: (reason: unknown) => void) {
    this.#onLost = onLost;
    this.#client = new Client({ ...config, pipeline: true }); // a heartbeat and a LISTEN may overlap
    this.#client.on('error', (error) => this.#lose(error));
    this.#client.on('end', () => this.#lose(new Error('the server closed the connection')));
    this.#client.on('notification', ({ channel, payload }) => channels.dispatch(channel, payload ?? ''));
  }

  async open(): Promise<void> {
    await this.#client.connect();
    this.#isOver = false;
    // A broken network is silent: without traffic the connection would seem alive for hours.
    this.#heartbeat = setInterval(() => void this.#send('select 1'), HEARTBEAT_MS).unref();
  }

  async follow(channels: string[]): Promise<void> {
    const fresh = channels.filter((channel) => !this.#followed.has(channel));
    if (fresh.length === 0) return;
    for (const channel of fresh) this.#followed.add(channel);
    await this.#send(fresh.map((channel) => `listen "${channel}"`).join('; '));
  }

  async unfollow(channel: string): Promise<void> {
    if (this.#followed.delete(channel)) await this.#send(`unlisten "${channel}"`);
  }

  async close(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#heartbeat);
    await this.#client.end().catch(() => undefined);
  }

  async #send(text: string): Promise<void> {
    const query = { text, query_timeout: ANSWER_LIMIT_MS };
    await this.#client.query(query).catch((error: unknown) => this.#lose(error));
  }

  #lose(reason: unknown): void {
    if (this.#isOver) return;
    void this.close();
    this.#onLost(reason);
  }
}

const FIRST_REDIAL_MS = 250;
const LAST_REDIAL_MS = 10_000;
const HEARTBEAT_MS = 30_000;
const ANSWER_LIMIT_MS = 5_000;

type OnNotify = (payload: string) => void;

export class Channels {
  readonly #listeners = new Map<string, Set<OnNotify>>();
  readonly #log: Pick<DatabaseLog, 'error'>;

  constructor(log: Pick<DatabaseLog, 'error'>) {
    this.#log = log;
  }

  get names(): string[] {
    return [...this.#listeners.keys()];
  }

  /** @returns what removes the listener, and says whether it was the channel's last. */
  add(channel: string, onNotify: OnNotify): () => boolean {
    if (!CHANNEL_NAME.test(channel)) throw new TypeError(`not a channel name: ${channel}`);
    const entry: OnNotify = (payload) => onNotify(payload); // a new function, since one function may listen twice
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(entry));
    return () => {
      const isLast = listeners.delete(entry) && listeners.size === 0;
      if (isLast) this.#listeners.delete(channel);
      return isLast;
    };
  }

  dispatch(channel: string, payload: string): void {
    for (const onNotify of [...(this.#listeners.get(channel) ?? [])]) {
      try {
        onNotify(payload);
      } catch (err) {
        this.#log.error({ err, channel }, 'a notification listener failed');
      }
    }
  }

  /** Notifications may have been lost, so every listener must look for work. */
  wakeAll(): void {
    for (const channel of this.names) this.dispatch(channel, '');
  }
}

// Names without quotes, so that they can be quoted in a statement (`window` is a reserved word).
const CHANNEL_NAME = /^[a-z_][a-z0-9_]{0,62}$/;
