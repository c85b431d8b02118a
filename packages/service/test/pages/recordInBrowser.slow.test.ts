import { beforeAll, expect, test } from 'vitest';
import { givenService } from '#harness/givenService.js';
import { ANSWER, answerReview, recordToken } from '../features/attestation/reviewFixtures.js';
import { reportBatch } from '../features/intake/eventFixtures.js';
import { describeInBrowser, givenBrowser } from './givenBrowser.js';
import { expectGoodLooks, expectToFit } from './looks.js';

const DAY_MS = 86_400_000;

describeInBrowser('the page of a record in Chromium', () => {
  const service = givenService('pglite', { env: { BASE_URL: 'https://scores.example' } });
  const { open } = givenBrowser();
  let url: string;

  beforeAll(async () => {
    const events = Array.from({ length: 24 }, (_, index) => {
      const completedAt = new Date(Date.now() - (index * 12 + 1) * DAY_MS).toISOString();
      const eventType = index % 7 === 3 ? 'CONTRACT_BREACHED' : 'CONTRACT_FULFILLED';
      const verifiedBy = index % 2 === 0 ? { isVerified: true } : {};
      return { userId: 'worker-4711', eventType, completedAt, ...verifiedBy };
    });
    await reportBatch(service, events);
    await service.settle();
    url = `${service.url}/record/${await recordToken(service, 'worker-4711')}`;
  });

  test('without scripts, on a phone: a person objects, reads the answer and changes the language', async () => {
    const page = await open(url, { javaScriptEnabled: false, viewport: { width: 375, height: 800 } });
    await page.getByRole('link', { name: 'Object to this' }).nth(1).click();
    await page.getByLabel('What is wrong, in your own words?').fill('I was on time.\nThe door was locked.');
    await page.getByRole('button', { name: 'Send objection' }).click();
    await page.getByText('I was on time.').waitFor();
    expect(new URL(page.url()).hash).toBe('#reviews');
    const { reviews } = (await service.request('GET', '/reviews')).body;
    expect(reviews).toMatchObject([{ text: 'I was on time.\nThe door was locked.', status: 'OPEN' }]);
    await answerReview(service, reviews[0].id);
    await page.reload();
    await page.getByText(ANSWER.text).waitFor();
    await page.getByRole('link', { name: 'Older results' }).click();
    await page.getByRole('link', { name: 'Newest results' }).waitFor();
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Ihre Bewertung', level: 1 }).waitFor();
  });

  test('a person shares the score and stops it again', async () => {
    const page = await open(url);
    await page.getByRole('button', { name: 'Get a link to share' }).click();
    await page.getByRole('link', { name: /\/verify\/st_/ }).waitFor();
    await page.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByRole('button', { name: 'Get a link to share' }).waitFor();
  });

  test.each(['en', 'de'])('is readable and accessible on a phone and on a screen (%s)', async (language) => {
    const page = await open(`${url}?lang=${language}`);
    await expectGoodLooks(page, `record-${language}`, [320, 375, 1280]);
  });

  test('fits where names are very long words, and reads from right to left around them', async () => {
    const name = `${'م'.repeat(60)}${'W'.repeat(80)}`;
    await reportBatch(service, [{ userId: name, eventType: 'CONTRACT_FULFILLED', isVerified: true }]);
    await service.settle();
    const page = await open(`${service.url}/record/${await recordToken(service, name)}`);
    await expectToFit(page, 320);
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await expectGoodLooks(page, 'record-rtl', [375]);
  });

  test('a link that opens nothing has a page that is readable and accessible', async () => {
    const page = await open(`${service.url}/record/rl_nothing`, { expectedErrors: /404/ });
    await expectGoodLooks(page, 'record-nothing');
  });
});
