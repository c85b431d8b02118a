import { parseCheckpoint, parseNote, toBase64 } from '@reliability/proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { type GoJudge, hasGo, startGoJudge } from '../../../../proof/test/goJudge.js';
import { foreignLog } from './foreignLog.js';

const log = foreignLog('scores.example/log');

describe.skipIf(!hasGo)("Go's golang.org/x/mod/sumdb/note", () => {
  let go: GoJudge;
  let service: TestService;

  beforeAll(async () => {
    go = startGoJudge();
    const env = { BASE_URL: 'https://witness.example', LOG_WITNESS_FOR: log.vkey };
    service = await startTestService(mainEngine, { env });
  });
  afterAll(async () => {
    go.close();
    await service.close();
  });

  test('opens a checkpoint that the service cosigned, by log and witness, and no changed one', async () => {
    const { body } = await service.request('GET', '!/.well-known/ledger-log.json', { key: null });
    const { text: lines } = await service.request('POST', '!/log/witness/add-checkpoint', {
      key: null,
      body: await log.submission(0, 5),
      headers: { 'Content-Type': 'text/plain' },
    });
    const note = (await log.checkpoint(5)) + lines;
    const { size, root } = parseCheckpoint(parseNote(note).text);
    const sound = {
      kind: 'checkpoint',
      note,
      size,
      root: toBase64(root),
      vkey: log.vkey,
      witness: body.asWitness.vkey,
    };
    const other = (await log.checkpoint(6)) + lines;
    const uncosigned = await log.checkpoint(5);
    const [accepted, forged, alone] = go.judge([
      sound,
      { ...sound, note: other },
      { ...sound, note: uncosigned },
    ]);
    expect(accepted).toBe('ok');
    expect([forged, alone].every((verdict) => verdict?.startsWith('refused'))).toBe(true);
  });
});
