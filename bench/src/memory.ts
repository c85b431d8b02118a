import { readFileSync } from 'node:fs';
import type { Bench } from './kit/bench.js';
import type { Figure, Line } from './kit/figure.js';
import { postEvents, settled } from './kit/fill.js';
import { eventBodies } from './kit/load.js';
import { pause } from './kit/scratch.js';
import { type Home, startService } from './kit/server.js';

const EVENTS = 100_000;
const REST_MS = 20_000;

/** Resident memory of the service's process after many events and a rest. */
export const memory: Figure = { name: 'memory', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const embedded = bench.embedded();
  const lines = [
    await measureOn(bench, 'PostgreSQL (without the server itself)', await bench.postgres(), 165),
    await measureOn(bench, 'PGlite', embedded, 300),
  ];
  embedded.drop();
  return lines;
}

async function measureOn(bench: Bench, setting: string, home: Home, limitMb: number): Promise<Line> {
  const service = await startService(home);
  try {
    const freshMb = residentMb(service.pid, 'VmRSS');
    await postEvents(service.url, eventBodies(EVENTS));
    await settled(service.url);
    await pause(REST_MS);
    const restingMb = residentMb(service.pid, 'VmRSS');
    const peakMb = residentMb(service.pid, 'VmHWM');
    bench.say(`  ${setting}: ${freshMb} MB after the start, maximum ${peakMb} MB, ${restingMb} MB at rest`);
    return {
      what: `resident memory after ${EVENTS / 1000} 000 events and ${REST_MS / 1000} s of rest`,
      setting,
      value: `${restingMb} MB (${freshMb} after the start, maximum ${peakMb})`,
      baseline: '',
      measure: restingMb,
      unit: 'MB',
      target: { under: limitMb },
    };
  } finally {
    await service.stop();
  }
}

/** Of the whole process with all threads. 1 MB is 1 000 000 bytes. Linux only. */
export function residentMb(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  return Math.round(residentBytes(pid, field) / 1e6);
}

export function residentBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const line = status.split('\n').find((each) => each.startsWith(`${field}:`));
  if (line === undefined) throw new Error(`no ${field} of process ${pid}`);
  return Number.parseInt(line.slice(field.length + 1), 10) * 1024;
}
