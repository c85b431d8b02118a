import { fromBase64, leafHash, parseCheckpoint, parseNote, treeRoot, verifyInclusion } from '@reliability/proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from '../../harness/engines.js';
import { eventually } from '../../harness/eventually.js';
import { startTestService, type TestService } from '../../harness/service.js';

describe.each(engines)('the transparency log on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine);
  });
  afterAll(() => service.close());

  test('every event and every snapshot becomes a leaf, and a checkpoint covers them', async () => {
    for (let i = 0; i < 40; i += 1) {
      await service.request('POST', '/events', {
        body: { userId: `w-${i % 7}`, eventType: 'CONTRACT_FULFILLED', stakeLevel: 'LOW', metadata: { big: 1 } },
      });
    }
    await service.settle();
    await logged(service);
    const [counts] = await service.db.query<{ events: number; snapshots: number; leaves: number; known: number }>(
      `select (select count(*) from event where livemode) as events, (select count(*) from score_snapshot where livemode) as snapshots,
         (select count(*) from log_fact) as leaves, (select count(*) from log_fact where kind in (1, 2)) as known`,
    );
    expect(counts?.known).toBe((counts?.events ?? 0) + (counts?.snapshots ?? 0));
    expect(counts?.leaves).toBeGreaterThan(counts?.known ?? 0);
    const facts = await service.db.query<{ leafIndex: number; d: Buffer }>('select leaf_index, d from log_fact order by leaf_index');
    expect(facts.map(({ leafIndex }) => leafIndex)).toEqual(facts.map((_, i) => i));
    const [checkpoint] = await service.db.query<{ note: string; root: Buffer }>('select note, root from log_checkpoint order by tree_size desc limit 1');
    expect(parseCheckpoint(parseNote(checkpoint?.note ?? '').text).size).toBe(facts.length);
  });
});

async function logged({ db }: TestService): Promise<void> {
  await eventually(async () => {
    const [row] = await db.query<{ isDone: boolean }>(
      `select not exists (select 1 from log_queue) and tree_size > 0 and tree_size = (select max(tree_size) from log_checkpoint) as is_done from log_state`,
    );
    return row?.isDone === true;
  });
}
