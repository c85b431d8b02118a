import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { askConfirmation, headingOf, open, post } from '../../pages/hostedFixtures.js';

describe.each(breadth)('the name of a subject on a confirmation, on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine);
  });
  afterAll(() => service.close());
  const subjectName = 'Ada <Martin>';

  test('is on the request, in its preview and on its page, beside the id', async () => {
    const asked = await askConfirmation(service, { userId: 'worker-7', subjectName });
    const { body } = await service.request('GET', asked.api);
    expect(body.confirmation?.subjectName ?? body.subjectName).toBe(subjectName);
    const preview = await service.request('GET', `${asked.api}/preview?token=${asked.token}`, { key: null });
    expect(preview.body).toMatchObject({ userId: 'worker-7', subjectName });
    const { text } = await open(service, asked.page, { token: asked.token });
    expect(text).toContain('<bdi>Ada &lt;Martin&gt;</bdi>');
    expect(text).toMatch(/worker-7/);
    const thanks = await post(service, asked.page, { token: asked.token, decision: 'confirm' });
    expect(headingOf(thanks)).toBe('Thank you. It is confirmed.');
    expect(thanks.text).toContain('Ada &lt;Martin&gt;');
  });

  test('never reaches the ledger, nor anything that a platform reads of the event', async () => {
    const asked = await askConfirmation(service, { userId: 'worker-8', subjectName });
    await post(service, asked.page, { token: asked.token, decision: 'confirm' });
    const { body } = await service.request('GET', '/users/worker-8/events');
    expect(JSON.stringify(body)).not.toContain('Ada');
    const rows = await service.db.query<{ found: boolean }>(
      `select exists (select from event e where e::text like '%Ada%') or
              exists (select from event_text t where t::text like '%Ada%') as found`,
    );
    expect(rows).toEqual([{ found: false }]);
  });

  test('is left out where the platform gave none, and refused if it is too long', async () => {
    const asked = await askConfirmation(service, { userId: 'worker-9' });
    const preview = await service.request('GET', `${asked.api}/preview?token=${asked.token}`, { key: null });
    expect(preview.body).not.toHaveProperty('subjectName');
    const body = { userId: 'w', eventType: 'CONTRACT_FULFILLED', counterpartyRef: 'c', description: 'd' };
    const tooLong = await service.request('POST', '/confirmations', {
      body: { ...body, subjectName: 'x'.repeat(256) },
    });
    expect([tooLong.status, tooLong.body.details[0].path]).toEqual([400, 'subjectName']);
  });
});
