import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

// Loaded into the service with --import. On each connection to the socket in LOOP_PROBE it answers how long the event loop was
// blocked since the previous question, in milliseconds.
const RESOLUTION_MS = 1;
// Worker threads load this file as well. Only the main loop is of interest.
if (isMainThread) startProbe(process.env.LOOP_PROBE);

function startProbe(path: string | undefined): void {
  if (!path) throw new Error('LOOP_PROBE is not set: it names a socket');
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const server = createServer((socket) => {
    // The histogram includes its own resolution, which is no delay.
    socket.end(String(Math.max(0, delay.max / 1e6 - RESOLUTION_MS)));
    delay.reset();
  });
  server.listen(path).unref();
}
