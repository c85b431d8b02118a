import { openSync, readSync } from 'node:fs';
import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

// Loaded into the service with --import. On each connection to the socket in LOOP_PROBE it answers how long the longest turn of the
// event loop took since the previous question, in milliseconds. Linux only: the time that the thread waited for a processor, which
// other programs of the machine cause, is not part of a turn.
const TICK_MS = 1;
const schedstat = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
const text = Buffer.alloc(64);
// Worker threads load this file as well. Only the main loop is of interest.
if (isMainThread) startProbe(process.env.LOOP_PROBE);

function startProbe(path: string | undefined): void {
  if (!path) throw new Error('LOOP_PROBE is not set: it names a socket');
  let longestMs = 0;
  let lastMs = performance.now();
  let lastWaitedMs = waitedMs();
  const tick = () => {
    const nowMs = performance.now();
    const waited = waitedMs();
    longestMs = Math.max(longestMs, nowMs - lastMs - (waited - lastWaitedMs) - TICK_MS);
    lastMs = nowMs;
    lastWaitedMs = waited;
  };
  setInterval(tick, TICK_MS).unref();
  const server = createServer((socket) => {
    tick();
    socket.end(String(longestMs));
    longestMs = 0;
  });
  server.listen(path).unref();
}

/** How long this thread could have run and did not. */
function waitedMs(): number {
  const length = readSync(schedstat, text, 0, text.length, 0);
  return Number(text.toString('latin1', 0, length).split(' ')[1]) / 1e6;
}
