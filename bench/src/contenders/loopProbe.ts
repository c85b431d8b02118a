import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

// Loaded into the service with --import: tells how long its loop was held since it was asked last, in milliseconds, to each who connects
// to the socket that LOOP_PROBE names.
const RESOLUTION_MS = 1;
// Threads load it, too, but it is about the loop that answers.
if (isMainThread) startProbe(process.env.LOOP_PROBE);

function startProbe(path: string | undefined): void {
  if (!path) throw new Error('LOOP_PROBE names no socket');
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const server = createServer((socket) => {
    // Between two ticks lies the resolution itself.
    socket.end(String(Math.max(0, delay.max / 1e6 - RESOLUTION_MS)));
    delay.reset();
  });
  server.listen(path).unref();
}
