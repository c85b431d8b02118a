import { signedIn } from '../../packages/service/test/console/consoleFixtures.js';
import { browserPath, launchBrowser } from '../../packages/service/test/pages/browser.js';
import { type Bench, vacuum } from './kit/bench.js';
import { type Opening, openCold } from './kit/consolePage.js';
import { type Figure, type Line, type Measured, Samples, tenth, whole } from './kit/figure.js';
import { postEvents, settled } from './kit/fill.js';
import { seedBook } from './kit/seed/seedBook.js';
import { LIVE_KEY, startService } from './kit/server.js';

const BOOK = { subjects: 10_000, events: 50_000, neighbours: 0 };
const OUTCOMES = 10_000;
const YEARS_MS = 5 * 365 * 86_400_000;
const MAX_SCRIPT_KB = 60;
const REPEATS = 9;
const WARM_UPS = 2;

const views = [
  { name: 'the overview', path: '', meaningful: '.tiles dd', limitMs: 1000 },
  { name: 'the book', path: '/book', meaningful: '[role=table] .table-row', limitMs: 1000 },
  {
    name: `a subject of ${whole(OUTCOMES)} outcomes`,
    path: '/subject/busy',
    meaningful: '.score-now',
    limitMs: 1500,
  },
];

/** The console, opened for the first time in Chromium on a slowed processor. */
export const webConsole: Figure = { name: 'console', measure };

async function measure(bench: Bench): Promise<Measured | Line[]> {
  if (browserPath === undefined) throw new Error('Chromium is not installed');
  const home = await bench.postgres();
  await (await startService(home)).stop(); // creates the tables and the platform
  await seedBook(home.databaseUrl, BOOK, () => {});
  const service = await startService(home);
  const browser = await launchBrowser();
  try {
    await postEvents(service.url, outcomes());
    await settled(service.url);
    await vacuum(home);
    const cookie = await signedIn(service, LIVE_KEY);
    const openings = new Map(views.map(({ path }) => [path, [] as Opening[]]));
    for (let repeat = -WARM_UPS; repeat < REPEATS; repeat += 1) {
      for (const { path, meaningful } of views) {
        const opening = await openCold(browser, service.url, { cookie, path, meaningful });
        if (repeat >= 0) openings.get(path)?.push(opening);
      }
    }
    return {
      lines: views.flatMap((view) => linesOf(view, openings.get(view.path) ?? [])),
      appendix: '',
      course: `${REPEATS} interleaved rounds, each with an empty cache`,
    };
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** Of one subject, over some years. */
function outcomes() {
  const now = Date.now();
  return Array.from({ length: OUTCOMES }, (_, index) => {
    const completedMs = now - ((OUTCOMES - index) / OUTCOMES) * YEARS_MS;
    return {
      userId: 'busy',
      eventType: index % 9 === 4 ? 'CONTRACT_BREACHED' : 'CONTRACT_FULFILLED',
      isVerified: index % 3 > 0,
      completedAt: new Date(completedMs).toISOString(),
      dueDate: new Date(completedMs + (index % 5 === 0 ? -1 : 1) * 3_600_000).toISOString(),
      metadata: { orderId: `A-${index}`, channel: 'app' },
    };
  });
}

function linesOf({ name, limitMs }: (typeof views)[number], openings: readonly Opening[]): Line[] {
  const samplesOf = (of: (opening: Opening) => number) => {
    const samples = new Samples();
    for (const opening of openings) samples.add(of(opening));
    return samples;
  };
  const script = samplesOf(({ scriptBytes }) => scriptBytes / 1000).median;
  const first = samplesOf(({ firstMs }) => firstMs);
  const complete = samplesOf(({ completeMs }) => completeMs);
  const thread = (part: keyof Opening['spent']) => whole(samplesOf(({ spent }) => spent[part]).median);
  const line = { setting: 'Chromium, 4 times slowed, PostgreSQL', baseline: '' };
  return [
    {
      ...line,
      what: `${name}: script over the wire`,
      value: `${tenth(script)} kB, ${samplesOf(({ requests }) => requests).median} requests in all`,
      measure: script,
      unit: 'kB',
      target: { under: MAX_SCRIPT_KB },
    },
    {
      ...line,
      what: `${name}: first figures`,
      value: first.milliseconds(),
      measure: first.median,
      unit: 'ms',
      target: null,
    },
    {
      ...line,
      what: `${name}: complete`,
      value: `${complete.milliseconds()}; script ${thread('script')} ms, layout ${thread('layout')} ms, all ${thread('tasks')} ms`,
      measure: complete.median,
      unit: 'ms',
      target: { under: limitMs },
    },
  ];
}
