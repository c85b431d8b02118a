import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A pooler that shares one server session among all clients, as transaction pooling does on an idle
 * server.
 */
export interface SharingPooler {
  /** The address of the database behind it. */
  url: string;
  close(): void;
}

const PROTOCOL_3 = 196_608;

/**
 * Implements the part of PostgreSQL's protocol that simple queries need: it handles the start-up of
 * clients itself and forwards `Q` messages, one at a time, with the answers up to ReadyForQuery.
 * The server must accept its user without a password.
 */
export async function startSharingPooler(databaseUrl: string): Promise<SharingPooler> {
  const { hostname, port, username, pathname } = new URL(databaseUrl);
  const upstream = connect(Number(port), hostname);
  const sockets = new Set<Socket>([upstream]);
  const answers = messagesOf(upstream);
  upstream.write(startup({ user: username || 'postgres', database: pathname.slice(1) }));
  const greeting: Buffer[] = [];
  for await (const message of answers) {
    greeting.push(message);
    if (kindOf(message) === 'Z') break;
  }
  let turn: Promise<void> = Promise.resolve();

  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    let isGreeted = false;
    let pending = Buffer.alloc(0);
    client.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      for (;;) {
        const start = isGreeted ? 1 : 0;
        if (pending.length < start + 4 || pending.length < start + pending.readInt32BE(start)) return;
        const message = pending.subarray(0, start + pending.readInt32BE(start));
        pending = pending.subarray(message.length);
        if (!isGreeted) {
          isGreeted = message.readInt32BE(4) === PROTOCOL_3;
          client.write(isGreeted ? Buffer.concat(greeting) : 'N');
        } else if (kindOf(message) === 'Q') {
          turn = turn.then(() => exchange(client, message));
        } else client.end();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const own = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `postgres://${username || 'postgres'}@127.0.0.1:${own}${pathname}`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };

  async function exchange(client: Socket, query: Buffer): Promise<void> {
    upstream.write(query);
    for await (const message of answers) {
      client.write(message);
      if (kindOf(message) === 'Z') return;
    }
  }
}

function startup(parameters: Record<string, string>): Buffer {
  const text = Object.entries(parameters).flat().concat('', '').join('\0');
  const body = Buffer.from(text);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + body.length, 0);
  head.writeInt32BE(PROTOCOL_3, 4);
  return Buffer.concat([head, body]);
}

function kindOf(message: Buffer): string {
  return String.fromCharCode(message[0] ?? 0);
}

/** Complete messages of the server, each with its kind and length. Iteration can be resumed. */
function messagesOf(socket: Socket): AsyncIterable<Buffer> {
  let pending = Buffer.alloc(0);
  const waiting: (() => void)[] = [];
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    for (const wake of waiting.splice(0)) wake();
  });
  return {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (pending.length < 5 || pending.length < 1 + pending.readInt32BE(1)) {
          await new Promise<void>((resolve) => waiting.push(resolve));
        }
        const message = pending.subarray(0, 1 + pending.readInt32BE(1));
        pending = pending.subarray(message.length);
        yield message;
      }
    },
  };
}
