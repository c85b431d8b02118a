import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, join } from 'node:path';
import { ROOT } from './scratch.js';

/** How a thread spent its time. Shares are 0 to 1. */
export interface TimeSpent {
  /** Functions by self time, largest first: `name file:line`. */
  readonly self: readonly Share[];
  /** The same by package, and by source file of this project. */
  readonly locations: readonly Share[];
  /** Functions of this project by the time spent in them and in what they call. */
  readonly whole: readonly Share[];
}

export interface Share {
  readonly name: string;
  readonly share: number;
}

interface CpuProfile {
  nodes: ProfileNode[];
  samples: number[];
  /** Microseconds before each sample. */
  timeDeltas: number[];
  /** Microseconds on the machine's monotonic clock. */
  startTime: number;
}

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
  children?: number[];
}

/** The monotonic clock that CPU profiles use, in microseconds. */
export function profileClockUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** The profiles that a process left in the folder, one per thread, busiest first, cut to the given time span. */
export function readProfiles(folder: string, fromUs: number, toUs: number): TimeSpent[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.cpuprofile'))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile)
    .map(withSources)
    .map((profile) => ({ profile, times: timePerNode(profile, fromUs, toUs) }))
    .sort((a, b) => busyTime(b.profile, b.times) - busyTime(a.profile, a.times))
    .map(({ profile, times }) => timeSpent(profile, times));
}

/** Maps locations in the bundle to locations in the sources. */
function withSources(profile: CpuProfile): CpuProfile {
  const maps = new Map<string, SourceMap>();
  for (const { callFrame } of profile.nodes) {
    const { url, lineNumber, columnNumber } = callFrame;
    if (!isOurs(url) || !existsSync(mapOf(url))) continue;
    const map = maps.get(url) ?? new SourceMap(JSON.parse(readFileSync(mapOf(url), 'utf8')));
    maps.set(url, map);
    const entry = map.findEntry(lineNumber, columnNumber);
    if (!('originalSource' in entry)) continue;
    callFrame.url = new URL(entry.originalSource, url).href;
    callFrame.lineNumber = entry.originalLine;
  }
  return profile;
}

function mapOf(url: string): URL {
  return new URL(`${url}.map`);
}

function timePerNode({ samples, timeDeltas, startTime }: CpuProfile, fromUs: number, toUs: number) {
  const times = new Map<number, number>();
  let atUs = startTime;
  samples.forEach((id, index) => {
    const lasted = timeDeltas[index] ?? 0;
    atUs += lasted;
    if (atUs >= fromUs && atUs <= toUs) times.set(id, (times.get(id) ?? 0) + lasted);
  });
  return times;
}

function busyTime({ nodes }: CpuProfile, times: ReadonlyMap<number, number>): number {
  return nodes.reduce((sum, { id, callFrame }) => sum + (isIdle(callFrame) ? 0 : (times.get(id) ?? 0)), 0);
}

function isIdle({ functionName }: ProfileNode['callFrame']): boolean {
  return functionName === '(idle)';
}

function timeSpent({ nodes }: CpuProfile, times: ReadonlyMap<number, number>): TimeSpent {
  const self = new Sums();
  const locations = new Sums();
  for (const { id, callFrame } of nodes) {
    const time = times.get(id) ?? 0;
    self.add(nameOf(callFrame), time);
    locations.add(locationOf(callFrame), time);
  }
  return {
    self: self.shares(),
    locations: locations.shares(),
    whole: wholeTimes(nodes, times).shares(self.total),
  };
}

// A function that is on the stack twice is counted once.
function wholeTimes(nodes: readonly ProfileNode[], times: ReadonlyMap<number, number>): Sums {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const sums = new Sums();
  const walk = (node: ProfileNode, above: ReadonlySet<string>): number => {
    const name = isOurs(node.callFrame.url) ? nameOf(node.callFrame) : null;
    const within = name === null || above.has(name) ? above : new Set([...above, name]);
    let time = times.get(node.id) ?? 0;
    for (const child of node.children ?? []) {
      const next = byId.get(child);
      if (next) time += walk(next, within);
    }
    if (name !== null && within !== above) sums.add(name, time);
    return time;
  };
  const [root] = nodes;
  if (root) walk(root, new Set());
  return sums;
}

class Sums {
  readonly #times = new Map<string, number>();
  total = 0;

  add(name: string, time: number): void {
    if (time === 0) return;
    this.total += time;
    this.#times.set(name, (this.#times.get(name) ?? 0) + time);
  }

  shares(total = this.total): Share[] {
    return [...this.#times]
      .map(([name, time]) => ({ name, share: time / total }))
      .sort((a, b) => b.share - a.share);
  }
}

function isOurs(url: string): boolean {
  return url.includes('/packages/') && !url.includes('/node_modules/');
}

function nameOf(callFrame: ProfileNode['callFrame']): string {
  const { functionName, url, lineNumber } = callFrame;
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url === '') return name;
  const file =
    isOurs(url) || url.startsWith('node:') ? shortPath(url) : `${locationOf(callFrame)}/${basename(url)}`;
  return `${name} ${file}:${lineNumber + 1}`;
}

/** A package, a built-in module, a file of this project, or V8's own name if there is no file. */
function locationOf({ functionName, url }: ProfileNode['callFrame']): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(built in)';
  if (url.startsWith('node:'))
    return url.split('/', 1)[0] === 'node:internal' ? url.split('/', 2).join('/') : url;
  const [, below] = /^((?:@[^/]+\/)?[^/]+)/.exec(url.split('/node_modules/').slice(1).at(-1) ?? '') ?? [];
  return below ?? shortPath(url);
}

function shortPath(url: string): string {
  return url
    .replace(/^file:\/\//, '')
    .replace(ROOT, '')
    .replace(/^packages\/(\w+)\/src\//, '$1/')
    .replace(/\.(js|ts)$/, '');
}
