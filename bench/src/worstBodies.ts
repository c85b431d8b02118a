import { connect } from 'node:net';
import { join } from 'node:path';
import type { Bench } from './kit/bench.js';
import { contenderFile } from './kit/contenders.js';
import { dearBodies, firstPages } from './kit/dearBodies.js';
import { type Figure, type Line, Samples } from './kit/figure.js';
import { dropFolder, pause, scratchFolder } from './kit/scratch.js';
import { LIVE_KEY, startService } from './kit/server.js';
import { worstBodies as bodies, type WorstBody } from './kit/worstBodies.js';

const LIMIT_MS = 20;
const ROUNDS = 5;
/** Pause until the server has also cleaned up after an answer. */
const SETTLE_MS = 100;
/** Workers and pages that are made after the start. */
const START_SETTLES_MS = 5000;
/** Between the reads of others. */
const READ_EVERY_MS = 10;

/**
 * The longest turn of the event loop that a request takes, refused or accepted, beside others that read:
 * a process that nobody uses collects garbage by itself (kit/memoryAtRest.ts), which is no turn of a body.
 */
export const worstBodies: Figure = { name: 'worstBodies', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const embedded = bench.embedded();
  const folder = scratchFolder('probe');
  const socket = join(folder, 'loop');
  const service = await startService(embedded, {
    nodeFlags: [`--import=${contenderFile('loopProbe')}`],
    env: { LOOP_PROBE: socket },
  });
  const others = setInterval(() => void readAs(service.url), READ_EVERY_MS);
  try {
    const lines: Line[] = [];
    await pause(START_SETTLES_MS);
    for (const page of firstPages) lines.push(await measurePage(bench, service.url, socket, page));
    for (const body of [...dearBodies, ...bodies])
      lines.push(await measureBody(bench, service.url, socket, body));
    return lines;
  } finally {
    clearInterval(others);
    await service.stop();
    embedded.drop();
    dropFolder(folder);
  }
}

/** A read of another caller. It may fail while the service is busy or stops. */
async function readAs(url: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/platform`, {
    headers: { Authorization: `Bearer ${LIVE_KEY}` },
  }).catch(() => null);
  await answer?.arrayBuffer().catch(() => null);
}

async function measureBody(bench: Bench, url: string, socket: string, worst: WorstBody): Promise<Line> {
  const blocked = new Samples();
  let status = 0;
  // The first round warms up the compiler.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const body = worst.body();
    await blockedMs(socket);
    status = await send(url, worst, body);
    if (status === 500) throw new Error(`${worst.name} was answered with ${status}`);
    await pause(SETTLE_MS);
    const ms = await blockedMs(socket);
    if (round > 0) blocked.add(ms);
  }
  bench.say(`  ${worst.name}: ${status}, ${blocked.milliseconds()}`);
  return lineOf(worst.name, status, blocked);
}

async function measurePage(bench: Bench, url: string, socket: string, page: string): Promise<Line> {
  const blocked = new Samples();
  await blockedMs(socket);
  const answer = await fetch(url + page);
  await answer.arrayBuffer();
  blocked.add(await blockedMs(socket));
  bench.say(`  the first GET ${page}: ${answer.status}, ${blocked.milliseconds()}`);
  return lineOf(`the first GET ${page}`, answer.status, blocked);
}

function lineOf(name: string, status: number, blocked: Samples): Line {
  return {
    what: `longest turn of the event loop for ${name}`,
    setting: `${status}, PGlite`,
    value: blocked.milliseconds(),
    baseline: `${LIMIT_MS} ms`,
    measure: blocked.max / LIMIT_MS,
    unit: 'ratio',
    target: { under: 1 },
  };
}

async function send(
  url: string,
  { path, type, encoding, isPublic }: WorstBody,
  body: Buffer,
): Promise<number> {
  try {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: {
        'Content-Type': type ?? 'application/json',
        ...(encoding && { 'Content-Encoding': encoding }),
        ...(!isPublic && { Authorization: `Bearer ${LIVE_KEY}` }),
      },
      body: new Uint8Array(body),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    // The server may close the connection before the whole body was sent.
    return 413;
  }
}

/** Milliseconds since the previous question. */
function blockedMs(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer = '';
    connect(path)
      .on('data', (chunk) => {
        answer += chunk;
      })
      .on('error', reject)
      .on('end', () => resolve(Number(answer)));
  });
}
