import { describe, expect, test } from 'vitest';
import { hasPostgres } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { packageFile } from '#kit/packageFile.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { recordToken } from '../attestation/reviewFixtures.js';
import { reportBatch } from '../intake/eventFixtures.js';

/** From the bundle; without the flags of the process that runs the tests. */
const importProgram = { file: packageFile('dist/importThread.js'), execArgv: [] };

describe.runIf(hasPostgres)('long files of a record', () => {
  const service = givenService('postgresql', {
    importProgram,
    env: { BASE_URL: 'https://scores.example' },
  });

  test('are verified in a thread, with the same answers as short ones', async () => {
    const batch = Array(100).fill({ userId: 'long', eventType: 'CONTRACT_FULFILLED' });
    for (let done = 0; done < 500; done += batch.length) await reportBatch(service, batch);
    await service.settle();
    await settledLog(service.db);
    const token = await recordToken(service, 'long');
    const { text } = await service.request('GET', `!/record/${token}/data.json`, { key: null });
    expect(text.length).toBeGreaterThan(128 * 1024);
    const send = (body: string) => service.request('POST', '/users/long/career-import', { body });
    const [whole, cut, changed] = await Promise.all([
      send(text),
      send(text.slice(0, -9)),
      send(text.replace('"eventType":"CONTRACT_FULFILLED"', '"eventType":"REVIEW_VERIFIED"')),
    ]);
    expect(whole.body).toMatchObject({
      verified: true,
      signer: 'own',
      outcomes: { stated: 500, proven: 500 },
    });
    expect([cut.status, cut.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(changed.body).toMatchObject({ verified: false, outcomes: { stated: 500, proven: 0 } });
  });
});
