import { afterAll, beforeAll, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { givenService } from '#harness/givenService.js';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import { addWebhook, LOOPBACK_ALLOWED } from '../features/notify/webhooksFixtures.js';
import { describeInBrowser } from '../pages/givenBrowser.js';
import { expectGoodLooks, givenConsole } from './consoleBrowser.js';

/** Hostile on purpose: long, with markup and right-to-left text. */
const LONG_ID = `<b>عامل</b>-${'w'.repeat(230)}`;

describeInBrowser('the overview in Chromium', () => {
  const service = givenService(mainEngine, { env: LOOPBACK_ALLOWED });
  const { openView } = givenConsole(service);
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    const post = (path: string, body: object) =>
      service.request('POST', path, { key: service.testKey, body });
    // Published one after another, so that scores move after their first.
    for (const eventType of ['CONTRACT_FULFILLED', 'CONTRACT_FULFILLED', 'CONTRACT_BREACHED']) {
      const events = ['rising', 'falling', LONG_ID]
        .filter((userId) => eventType === 'CONTRACT_FULFILLED' || userId === 'falling')
        .flatMap((userId) => [1, 2, 3].map(() => ({ userId, eventType, isVerified: true })));
      const { body } = await post('/events/batch', { events });
      await service.settle();
      if (eventType === 'CONTRACT_BREACHED') await post('/disputes', { eventId: body.results[0].eventId });
    }
    const asked = {
      userId: 'rising',
      eventType: 'CONTRACT_FULFILLED',
      counterpartyRef: 'customer-1',
      description: 'Delivered on Friday.',
    };
    expect((await post('/confirmations', asked)).status).toBe(201);
    const overdue = await post('/events', { userId: 'due', eventType: 'TRANSACTION_DISPUTED' });
    await service.db.execute(
      `update dispute set respond_by = now() - interval '2 hours' where event_id = $1`,
      [overdue.body.eventId],
    );
    receiver.react(() => ({ status: 500 }));
    await addWebhook(service, { url: `${receiver.url}/hook` }, { key: service.testKey });
    await post('/events', { userId: 'rising', eventType: 'CONTRACT_FULFILLED', isVerified: true });
    await service.settle();
    await eventually(async () => {
      const { body } = await service.request('GET', '/webhooks/attempts', { key: service.testKey });
      return body.endpoints[0].failed.some((count: number) => count > 0);
    });
  });
  afterAll(() => receiver?.close());

  test('shows the book, its movers, and what waits or fails; each leads to its view', async () => {
    const page = await openView(service.testKey);
    const panel = (name: string | RegExp) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name }) });
    await panel('Fell most this week').getByRole('link', { name: 'falling' }).waitFor();
    const risen = panel('Rose most this week');
    expect(await risen.getByRole('listitem').count()).toBe(2);
    expect(await risen.getByText(/^\+\d/).count()).toBe(2);
    expect(await panel('The book by band').locator('dd').first().textContent()).toBe('4');
    // Everybody on this book is new, so the change of the bands is the book.
    const changes = await panel('The book by band').locator('dd small').allTextContents();
    expect(changes.reduce((sum, text) => sum + Number(text.replace(/[±−]/, '-')), 0)).toBe(4);
    await panel(/^Open disputes · 2$/)
      .getByText('ends in 14 days')
      .waitFor();
    await panel(/^Open confirmations · 1$/)
      .getByRole('link', { name: 'rising' })
      .waitFor();
    const attention = panel(/^Needs attention · 2$/);
    const rows = attention.getByRole('listitem');
    expect(await rows.nth(0).textContent()).toMatch(/^due.*Dispute overdue: its time ended 2 hours ago$/);
    expect(await rows.nth(1).textContent()).toMatch(
      /hookEndpoint failing: 100% of \d+ attempts? in 24 h failed · since/,
    );
    await panel('Queue lag')
      .getByText(/^\d+ s$/)
      .first()
      .waitFor();
    const links = await page.evaluate(
      `[...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'))`,
    );
    for (const to of ['/inbox?of=disputes&status=OPEN', '/inbox?of=confirmations&status=PENDING']) {
      expect(links).toContain(`/console${to}`);
    }
    await expectGoodLooks(page, 'overview');
    await attention.getByRole('link', { name: 'due' }).click();
    await page.getByRole('dialog', { name: 'Dispute' }).getByText('Work contested').waitFor();
    await page.goBack();
    await panel('The book by band').getByRole('link', { name: 'High Risk' }).click();
    await page.waitForURL(`${service.url}/console/book?band=High%20Risk`);
  });

  test('tells a platform without a subject how to report the first outcome', async () => {
    const page = await openView(service.liveKey);
    await page.getByText('No subject yet.').waitFor();
    const command = await page.locator('pre').textContent();
    expect(command).toContain(`curl -sS -X POST '${service.url}/api/v1/events'`);
    const body = /-d '(.*)'/.exec(command ?? '')?.[1];
    await expectGoodLooks(page, 'overview-empty');
    await page.getByRole('link', { name: 'Or import a file' }).click();
    await page.waitForURL(`${service.url}/console/imports`);
    const answer = await service.request('POST', '/events', {
      key: service.liveKey,
      body: JSON.parse(body ?? ''),
    });
    expect(answer.status).toBe(201);
  });
});
