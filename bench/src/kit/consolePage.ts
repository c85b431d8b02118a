import { type Browser, type CDPSession, newContext } from '../../../packages/service/test/pages/browser.js';

/** What somebody who opens a view of the console for the first time waits for. */
export interface Opening {
  /** Bytes of script over the wire, as compressed. */
  readonly scriptBytes: number;
  /** From the start of the navigation until the element with the first figures is in the page. */
  readonly firstMs: number;
  /** Until nothing is awaited any more: no placeholder, every chart drawn. */
  readonly completeMs: number;
  readonly requests: number;
  /** Milliseconds of the page's thread, by what it does. */
  readonly spent: { readonly script: number; readonly layout: number; readonly tasks: number };
}

export interface View {
  /** Of the session. */
  readonly cookie: string;
  /** Below /console. */
  readonly path: string;
  /** Selects the first figures. */
  readonly meaningful: string;
}

const SLOWED = 4;

/** Opens a view with an empty cache, on a processor slowed to a quarter. */
export async function openCold(
  browser: Browser,
  url: string,
  { cookie, path, meaningful }: View,
): Promise<Opening> {
  const context = await newContext(browser);
  try {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: `${url}/console` }]);
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const scripts = countScripts(cdp);
    await cdp.send('Network.enable');
    await cdp.send('Performance.enable');
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
    await page.addInitScript(`window.meaningful = ${JSON.stringify(meaningful)}; ${WATCH}`);
    await page.goto(`${url}/console${path}`, { waitUntil: 'commit' });
    const times = await page.evaluate<{ firstMs: number; completeMs: number; requests: number }>(
      'window.opened',
    );
    const { metrics } = await cdp.send('Performance.getMetrics');
    const msOf = (metric: string) => (metrics.find((each) => each.name === metric)?.value ?? 0) * 1000;
    return {
      ...times,
      scriptBytes: scripts(),
      spent: {
        script: msOf('ScriptDuration'),
        layout: msOf('LayoutDuration') + msOf('RecalcStyleDuration'),
        tasks: msOf('TaskDuration'),
      },
    };
  } finally {
    await context.close();
  }
}

/** Counts encoded bytes of the bodies of scripts. */
function countScripts(cdp: CDPSession): () => number {
  const scripts = new Set<string>();
  let bytes = 0;
  cdp.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  cdp.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes;
}

/** Runs in the page before its own scripts. Complete is a view that stays so for a second. */
const WATCH = `window.opened = new Promise((resolve) => {
  let firstMs = 0;
  let completeMs = 0;
  const isComplete = () =>
    document.querySelector('main h1') &&
    !document.querySelector('main .skeleton, main [aria-busy="true"]') &&
    [...document.querySelectorAll('.chart-place')].every((place) => place.querySelector('canvas[width]'));
  const look = () => {
    const now = performance.now();
    if (firstMs === 0 && document.querySelector(window.meaningful)) firstMs = now;
    if (!isComplete()) completeMs = 0;
    else if (completeMs === 0) completeMs = now;
    else if (now - completeMs > 1000) {
      const requests = performance.getEntriesByType('resource').length;
      return resolve({ firstMs, completeMs, requests });
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})`;
