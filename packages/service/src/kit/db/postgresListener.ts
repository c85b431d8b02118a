import type pg from 'pg';
import type { Connecting } from './connecting.js';
import type { DatabaseLog } from './types.js';

/** LISTEN on a separate connection, opened for the first channel and reopened when it is lost. */
export class PostgresListener {
  readonly #connecting: Connecting;
  readonly #log: DatabaseLog;
  readonly #channels: Channels;
  readonly #followed = new Set<string>();
  /** Undefined before the first channel, and while the connection is lost. */
  #client: pg.Client | undefined;
  #dialled: Promise<void> | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
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
    this.#dialled ??= this.#dial();
    await this.#dialled;
    await this.#listen();
  }

  async unfollow(channel: string): Promise<void> {
    await this.#dialled;
    if (this.#followed.delete(channel)) await this.#send(`unlisten "${channel}"`);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#redial);
    await this.#dialled;
    await this.#disconnect();
  }

  async #dial(): Promise<void> {
    const { config, Client } = this.#connecting;
    const client = new Client({ ...config, pipeline: true }); // a heartbeat and a LISTEN may overlap
    const lose = (reason: unknown) => this.#lose(client, reason);
    client.on('error', lose);
    client.on('end', () => lose(new Error('the server closed the connection')));
    client.on('notification', ({ channel, payload }) => this.#channels.dispatch(channel, payload ?? ''));
    this.#client = client;
    try {
      await client.connect();
    } catch (error) {
      return lose(error);
    }
    // A broken network is silent: without traffic the connection would seem alive for hours.
    this.#heartbeat = setInterval(() => void this.#send('select 1'), HEARTBEAT_MS).unref();
    await this.#listen();
    if (this.#client !== client) return;
    this.#failures = 0;
    if (this.#hadConnection) this.#channels.wakeAll();
    this.#hadConnection = true;
  }

  async #listen(): Promise<void> {
    const fresh = this.#channels.names.filter((channel) => !this.#followed.has(channel));
    if (!this.#client || fresh.length === 0) return;
    for (const channel of fresh) this.#followed.add(channel);
    await this.#send(fresh.map((channel) => `listen "${channel}"`).join('; '));
  }

  async #send(text: string): Promise<void> {
    const client = this.#client;
    const query = { text, query_timeout: ANSWER_LIMIT_MS };
    await client?.query(query).catch((error: unknown) => this.#lose(client, error));
  }

  /** A connection may report its loss more than once. */
  #lose(client: pg.Client, reason: unknown): void {
    if (this.#isClosed || client !== this.#client) return;
    void this.#disconnect();
    this.#log.warn({ err: reason }, 'lost the connection for notifications; reconnecting');
    const delayMs = Math.min(FIRST_REDIAL_MS * 2 ** this.#failures, LAST_REDIAL_MS);
    this.#failures += 1;
    this.#redial = setTimeout(() => {
      this.#dialled = this.#dial();
    }, delayMs).unref();
  }

  async #disconnect(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#followed.clear();
    clearInterval(this.#heartbeat);
    await client?.end().catch(() => undefined);
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
