import { browserPath, launchBrowser } from '../../../packages/service/test/pages/browser.js';
import { Samples } from './figure.js';

/**
 * Checks a proof on the page /check in Chromium: the time from the choice of the file to the verdict, each time on a
 * page that was just loaded. Null: Chromium is not installed.
 */
export async function timeToCheck(url: string, proof: Buffer, repeats: number): Promise<Samples | null> {
  if (browserPath === undefined) return null;
  const browser = await launchBrowser();
  const samples = new Samples();
  try {
    const page = await browser.newPage();
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      await page.goto(`${url}/check`);
      const verdict = page.evaluate<Verdict>(VERDICT);
      await page.setInputFiles('#file', { name: 'proof.json', mimeType: 'application/json', buffer: proof });
      const { ms, text, isGood } = await verdict;
      if (!isGood) throw new Error(`the page /check says of a proof: ${text}`);
      samples.add(ms);
    }
  } finally {
    await browser.close();
  }
  return samples;
}

interface Verdict {
  ms: number;
  text: string;
  isGood: boolean;
}

/** Runs in the page. Its listener comes before that of the page. */
const VERDICT = `new Promise((resolve) => {
  let startedMs = 0;
  document.addEventListener('change', () => { startedMs = performance.now(); }, { capture: true });
  new MutationObserver(() => {
    const heading = document.querySelector('#result h2');
    if (!heading) return;
    const isGood = heading.classList.contains('good');
    resolve({ ms: performance.now() - startedMs, text: heading.textContent, isGood });
  }).observe(document.body, { childList: true, subtree: true });
})`;
