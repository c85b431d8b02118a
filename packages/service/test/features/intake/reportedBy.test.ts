import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { answered, made } from '../attestation/confirmationFixtures.js';
import { filedDispute, resolve } from '../attestation/disputeFixtures.js';
import { exportAll, once, outcome, report } from './eventFixtures.js';
import { csvOf, finished, goodRows, sendImport } from './importFixtures.js';

describe.each(breadth)('the key that reported an outcome on %s', (engine) => {
  const service = givenService(engine);
  const reportersOf = async (userId: string) =>
    (await exportAll(service))
      .filter((event) => event.userId === userId)
      .map((event) => (event as unknown as { reportedBy: string | null }).reportedBy);

  test('is that of the report, the file or the request, and stays that of the first for a retry', async () => {
    const { id, key } = (await service.request('POST', '/platform/keys', { body: { label: 'Backoffice' } }))
      .body;
    const sent = outcome({ userId: 'reported' });
    await report(service, sent, { key, ...once('reported-1') });
    expect((await report(service, sent, once('reported-1'))).body.event.reportedBy).toBe(id);
    expect(await reportersOf('reported')).toEqual([id]);

    for (const rows of [1, 900]) {
      const csv = csvOf(goodRows(rows, { prefix: `of-${rows}`, subjects: 1 }));
      await finished(service, (await sendImport(service, csv, { key })).body.id);
      expect([...new Set(await reportersOf(`of-${rows}-0`))]).toEqual([id]);
    }

    const asked = await made(service, { userId: 'confirmed' }, { key });
    expect((await answered(service, asked, 'confirm')).status).toBe(200);
    expect(await reportersOf('confirmed')).toEqual([id]);
    const { items } = (await service.request('GET', '/users/confirmed/timeline')).body;
    expect(items.map(({ event }: { event?: object }) => event)).toContainEqual(
      expect.objectContaining({ reportedBy: id, attester: 'customer-88' }),
    );
  });

  test('is none for what the service writes about a dispute', async () => {
    const dispute = await filedDispute(service, { userId: 'disputed' });
    await resolve(service, dispute.id);
    const { keyId } = (await service.request('GET', '/platform')).body;
    expect(await reportersOf('disputed')).toEqual([keyId, null, null]);
  });
});
