import { writeFileSync } from 'node:fs';
import type { Bench } from './kit/bench.js';
import type { Figure, Line } from './kit/figure.js';
import { type HeavyMix, heavyMixes } from './kit/heavyMixes.js';
import { pause } from './kit/scratch.js';
import { type Home, LIVE_KEY, startService } from './kit/server.js';
import { residentMb } from './memory.js';

const LIMIT_MB = 512;
/** An idle process gives memory back. */
const SETTLE_MS = 7000;

/** The largest resident memory of the service while one platform sends the dearest bodies at once. */
export const worstMemory: Figure = { name: 'worstMemory', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const embedded = bench.embedded();
  try {
    return [
      ...(await measureOn(bench, 'PostgreSQL (without the server itself)', await bench.postgres())),
      ...(await measureOn(bench, 'PGlite', embedded)),
    ];
  } finally {
    embedded.drop();
  }
}

async function measureOn(bench: Bench, setting: string, home: Home): Promise<Line[]> {
  const service = await startService(home);
  try {
    const lines: Line[] = [];
    for (const mix of heavyMixes) {
      await pause(SETTLE_MS);
      const restingMb = residentMb(service.pid, 'VmRSS');
      forgetPeak(service.pid);
      const answers = await sendAll(service.url, mix);
      const peakMb = residentMb(service.pid, 'VmHWM');
      bench.say(`  ${setting}, ${mix.name}: ${answers}, ${restingMb} MB before, maximum ${peakMb} MB`);
      lines.push({
        what: `resident memory during ${mix.name}`,
        setting: `${setting}, ${answers}`,
        value: `${peakMb} MB`,
        baseline: `${LIMIT_MB} MB`,
        measure: peakMb,
        unit: 'MB',
        target: { under: LIMIT_MB },
      });
    }
    return lines;
  } finally {
    await service.stop();
  }
}

/** VmHWM counts from now on. */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Sends all bodies of the mix at once. Returns how often each status was answered. */
async function sendAll(url: string, { copies, path, type, encoding, body }: HeavyMix): Promise<string> {
  const bytes = new Uint8Array(body());
  const headers = {
    Authorization: `Bearer ${LIVE_KEY}`,
    'Content-Type': type ?? 'application/json',
    ...(encoding && { 'Content-Encoding': encoding }),
  };
  const statuses = await Promise.all(
    Array.from({ length: copies }, async () => {
      try {
        const answer = await fetch(url + path, { method: 'POST', headers, body: bytes });
        await answer.arrayBuffer();
        return answer.status;
      } catch {
        // The server may close the connection before the whole body was sent.
        return 503;
      }
    }),
  );
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  if (counts.has(500)) throw new Error('a body was answered with 500');
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}
