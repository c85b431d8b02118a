import { readFileSync } from 'node:fs';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { newContext } from '../pages/browser.js';
import { signInByPasting } from './consoleBrowser.js';

/** What opening a view cost. */
export interface ViewFigures {
  readonly view: string;
  /** The request that took longest, from its start to its last byte. */
  readonly slowest: { readonly path: string; readonly ms: number };
  /** The longest task of the page's main thread: by the clock, and its processor time. */
  readonly longestTaskMs: number;
  readonly longestTaskCpuMs: number;
  readonly requests: number;
}

const VIEWS = new URL('../../../console/src/views/index.ts', import.meta.url);

/** The paths of the views for a key or for the operator, as the console lists them. */
export function viewPaths(audience: 'key' | 'operator'): string[] {
  const entries = readFileSync(VIEWS, 'utf8').split('path: ').slice(1);
  return entries
    .filter((entry) => entry.includes(`for: '${audience}'`))
    .map((entry) => /^'([^']+)'/.exec(entry)?.[1] ?? '');
}

/** Opens each view in a page that is signed in, and waits until everything has loaded. */
export async function measureViews(
  browser: Browser,
  url: string,
  secret: string,
  paths: readonly string[],
): Promise<ViewFigures[]> {
  const context = await newContext(browser);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(`${url}/console/keys`);
  await signInByPasting(page, secret);
  const figures: ViewFigures[] = [];
  for (const path of paths) figures.push(await measureView(page, url, path));
  await context.close();
  return figures;
}

/** Generous: a view that is slow is to be reported, not to end the measurement. */
const PATIENCE_MS = 120_000;

async function measureView(page: Page, url: string, view: string): Promise<ViewFigures> {
  const requests: { path: string; ms: number }[] = [];
  page.on('requestfinished', (request) => {
    const { responseEnd, requestStart } = request.timing();
    const path = request.url().replace(`${url}/console/api`, '');
    if (request.url().includes('/console/api/')) requests.push({ path, ms: responseEnd - requestStart });
  });
  const tracing = await page.context().newCDPSession(page);
  const tasks = await tasksDuring(tracing, async () => {
    await page.goto(`${url}/console${view}`);
    await page.locator('.shell main h1').waitFor();
    await settled(page);
  });
  page.removeAllListeners('requestfinished');
  await tracing.detach();
  const byMs = (a: { ms: number }, b: { ms: number }) => b.ms - a.ms;
  const [longest] = tasks.sort(byMs);
  return {
    view,
    slowest: requests.sort(byMs)[0] ?? { path: '', ms: 0 },
    longestTaskMs: longest?.ms ?? 0,
    longestTaskCpuMs: Math.max(0, ...tasks.map(({ cpuMs }) => cpuMs)),
    requests: requests.length,
  };
}

/** Nothing is awaited any more. A stream stays open, so the network never falls silent. */
async function settled(page: Page): Promise<void> {
  const waiting = page.locator('main .skeleton, main [aria-busy="true"]');
  let quiet = 0;
  await expect
    .poll(
      async () => {
        quiet = (await waiting.count()) === 0 ? quiet + 1 : 0;
        return quiet;
      },
      { interval: 100, timeout: PATIENCE_MS },
    )
    .toBeGreaterThan(5);
}

interface Task {
  readonly ms: number;
  readonly cpuMs: number;
}

/** The tasks of the page's main thread, from Chromium's own trace. */
async function tasksDuring(tracing: CDPSession, work: () => Promise<void>): Promise<Task[]> {
  const events: TraceEvent[] = [];
  tracing.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await tracing.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', 'blink.user_timing'] },
  });
  await work();
  const complete = new Promise((resolve) => tracing.once('Tracing.tracingComplete', resolve));
  await tracing.send('Tracing.end');
  await complete;
  const mainThreads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return events
    .filter(({ name, pid, tid }) => TASKS.has(name) && mainThreads.has(`${pid} ${tid}`))
    .map(({ dur = 0, tdur = 0 }) => ({ ms: dur / 1000, cpuMs: tdur / 1000 }));
}

const TASKS = new Set(['RunTask', 'ThreadControllerImpl::RunTask', 'ThreadPool_RunTask']);

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds by the clock and of the processor. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}
