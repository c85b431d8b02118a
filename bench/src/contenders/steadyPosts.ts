import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

// Posts bodies at a fixed rate that does not wait for answers, over a fixed number of connections. The time of an answer counts from
// the moment at which its request was due, so that a stall of the server is not hidden by requests that were sent later.
// Connections take turns: one that stays silent for 10 s is closed.
// Arguments: port, path, key, file with a body a line, requests per second, seconds, connections. Prints the times in milliseconds.
const [port = '', path = '', key = '', file = '', rate = '', lasting = '', count = ''] =
  process.argv.slice(2);
const perMs = Number(rate) / 1000;
const total = Math.floor(Number(rate) * Number(lasting));
const requests = readFileSync(file, 'utf8').split('\n').map(requestOf);

const waiting: number[] = [];
const idle: Socket[] = [];
const times: number[] = [];
for (let index = 0; index < Number(count); index += 1) await open();

let due = 0;
const startedAt = performance.now();
const timer = setInterval(sendDue, 1);

function sendDue(): void {
  const target = Math.min(total, Math.floor((performance.now() - startedAt) * perMs));
  for (; due < target; due += 1) waiting.push(due);
  while (waiting.length > 0 && idle.length > 0) send(idle.shift() as Socket, waiting.shift() as number);
  if (due === total) clearInterval(timer);
}

function send(socket: Socket, index: number): void {
  const dueAt = startedAt + index / perMs;
  let text = '';
  socket.write(requests[index % requests.length] as string);
  socket.on('data', function take(chunk: Buffer) {
    text += chunk.toString('latin1');
    const head = text.indexOf('\r\n\r\n');
    const length = Number(/^content-length: (\d+)\r$/im.exec(text)?.[1] ?? Number.NaN);
    if (head < 0 || text.length < head + 4 + length) return;
    socket.off('data', take);
    if (!text.startsWith('HTTP/1.1 2')) throw new Error(`a request was refused:\n${text}`);
    times.push(performance.now() - dueAt);
    if (times.length === total) finish();
    const next = waiting.shift();
    if (next === undefined) idle.push(socket);
    else send(socket, next);
  });
}

function finish(): void {
  // Not before it is written: the times of a minute are longer than what a pipe takes at once.
  process.stdout.write(JSON.stringify(times.map((ms) => Math.round(ms * 100) / 100)), () => process.exit());
}

function open(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      idle.push(socket.setNoDelay());
      resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      throw new Error('the server closed a connection');
    });
  });
}

function requestOf(body: string): string {
  return [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
