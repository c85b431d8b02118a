import {
  fromBase64,
  leafHash,
  openNote,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  verifyInclusion,
} from '@reliability/proof';
import { verifyCredential } from 'did-jwt-vc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { decoded, mint, resolverOf, SHARING_BASE, SHARING_ENV, verify } from '../sharing/sharingFixtures.js';
import { type Alias, alias, ask, reportOf } from '../subjects/linkFixtures.js';

const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
const TYPE = `${SHARING_BASE}/contexts/v1#LogInclusion`;

interface Inclusion {
  leafIndex: number;
  d: string;
  proof: string[];
  checkpoint: string;
}

describe.each(breadth)('credentials and the transparency log on %s', (engine) => {
  let service: TestService;
  let vkey: string;
  let of: Alias;
  let token: string;

  beforeAll(async () => {
    service = await startTestService(engine, { env: SHARING_ENV, inFirstGroup: true });
    vkey = (await service.request('GET', '!/.well-known/ledger-log.json', { key: null })).body.vkey;
    of = await alias(service, 'logged', Array(12).fill(good));
    await service.settle();
    await settledLog(service.db);
    token = await mint(service, of);
  });
  afterAll(() => service.close());

  const deliveries = async (query = '') =>
    (await service.request('GET', `/verify/${token}/delivery-receipts${query}`, { key: null })).body
      .credential as string;

  /** With the public functions of the verifier alone. */
  async function isHeld({ leafIndex, d, proof, checkpoint }: Inclusion): Promise<boolean> {
    const note = parseNote(checkpoint);
    await openNote(note, [parseVerifierKey(vkey)]);
    const { size, root } = parseCheckpoint(note.text);
    const bytes = (text: string) => fromBase64(text) ?? new Uint8Array();
    const leaf = leafHash(bytes(d));
    return verifyInclusion({ size, root, index: leafIndex, leaf, proof: proof.map(bytes) });
  }

  test('every form carries where the log holds the score, which its checkpoint proves', async () => {
    const badge = (await ask(service, of, 'POST', '/open-badges')).body.credential as string;
    for (const [credential, types] of [
      [await deliveries(), [TYPE]],
      [await deliveries('?format=vc1'), [TYPE]],
      [badge, ['Evidence', TYPE]],
    ] as const) {
      const { payload } = decoded(credential);
      const { evidence } = payload.vc ?? payload;
      expect(evidence).toEqual([{ type: types, record: expect.any(Object) }]);
      expect(await isHeld(evidence[0].record)).toBe(true);
      expect(evidence[0].record.origin).toBe('svc.example/log');
      await verifyCredential(credential, resolverOf(service), { policies: { format: false } });
    }
  });

  test('the leaf is that of the published score, and says nothing about the subject', async () => {
    const { log } = (await verify(service, token)).body;
    const { body } = await ask(service, of, 'GET', '/score/proof');
    expect(log.leafIndex).toBe(body.snapshot.leafIndex);
    expect(await isHeld(log)).toBe(true);
    expect(decoded(await deliveries()).payload.evidence[0].record).toEqual(log);
    const subjectId = subjectIdOf(of.platform.id, true, of.userId);
    for (const secret of [body.snapshot.salt, subjectId, of.platform.id])
      expect(JSON.stringify(log)).not.toContain(secret);
  });

  test('later checkpoints change neither the date nor the credential', async () => {
    const [before, log] = [await deliveries(), (await verify(service, token)).body.log];
    await reportOf(service, await alias(service, 'somebody-else', [good]), good);
    await service.settle();
    await settledLog(service.db);
    expect((await verify(service, token)).body.log).toEqual(log);
    expect(await deliveries()).toBe(before);
  });

  test('a credential after a leak of the log’s key carries a checkpoint from after it', async () => {
    const sizeNow = async () => {
      const badge = (await ask(service, of, 'POST', '/open-badges')).body.credential as string;
      const { payload } = decoded(badge);
      const [{ record }] = (payload.vc ?? payload).evidence;
      expect(await isHeld(record)).toBe(true);
      return parseCheckpoint(parseNote(record.checkpoint).text).size;
    };
    const before = await sizeNow();
    // The removal of the leaked key leaves a younger one.
    await service.db.execute(`update signing_key set created_at = now() where purpose = 'log'`);
    await reportOf(service, await alias(service, 'after the leak', [good]), good);
    await service.settle();
    await settledLog(service.db);
    expect(await sizeNow()).toBeGreaterThan(before);
  });

  test('a score that no checkpoint covers yet gets its credential without, and later with it', async () => {
    const young = await alias(service, 'young', [good]);
    await service.settle();
    await settledLog(service.db);
    const shared = await mint(service, young);
    const id = subjectIdOf(young.platform.id, true, young.userId);
    const read = async () => {
      const path = `/verify/${shared}/delivery-receipts`;
      const { status, body } = await service.request('GET', path, { key: null });
      expect(status).toBe(200);
      return decoded(body.credential).payload;
    };
    const setPublished = (change: string) =>
      service.db.execute(`update score set snapshot_no = snapshot_no ${change} where subject_id = $1`, [id]);
    await setPublished('+ 100');
    const without = await read();
    expect(without).not.toHaveProperty('evidence');
    expect((await verify(service, shared)).body.log).toBeNull();
    await setPublished('- 100');
    const complete = await read();
    expect(complete.evidence).toHaveLength(1);
    expect(complete.id).not.toBe(without.id);
  });
});
