import { eventTypes } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { fingerprint, fulfilled, reportAll } from './recordFixtures.js';

const claim = { title: 'Acceptance protocol', eventType: 'CONTRACT_FULFILLED' };

describe.each(breadth)('the analysis of documents on %s', (engine) => {
  const service = givenSharedService(engine);
  const analyze = (id: string, claims: unknown) =>
    service.request('POST', `/users/${encodeURIComponent(id)}/documents/analyze`, { body: { claims } });

  test('projects the claims as submitted and as confirmed', async () => {
    await reportAll(service, 'worker', [fulfilled, { eventType: 'REVIEW_VERIFIED' }]);
    const dates = { completedAt: '2026-02-01T10:00:00Z', dueDate: '2026-02-02T10:00:00Z' };
    const dated = { ...claim, ...dates };
    const confirmed = { ...dated, isVerified: true, counterpartyRef: 'Ann' };
    const { body } = await analyze('worker', [dated, confirmed]);
    const projected = async (verified: boolean[]) => {
      const events = verified.map((isVerified) => ({ eventType: claim.eventType, ...dates, isVerified }));
      const answer = await service.request('POST', '/users/worker/score/project', { body: { events } });
      const { userId: _, ...projection } = answer.body;
      return projection;
    };
    expect(body.projection.asSubmitted).toEqual(await projected([false, true]));
    expect(body.projection.ifConfirmed).toEqual(await projected([true, true]));
    expect(body.claims).toMatchObject([
      { index: 0, verifiedAsSubmitted: false },
      { index: 1, verifiedAsSubmitted: true, witness: { who: 'Ann' } },
    ]);
  });

  test('names an attester of the catalogue for every event type, with its guide', async () => {
    const claims = eventTypes.map((eventType) => ({ title: eventType, eventType }));
    const { body } = await analyze('nobody', claims);
    const { witnessTypes } = (await service.request('GET', '/outcome-templates', { key: null })).body;
    expect(body.witnessGuide.witnessTypes).toEqual(witnessTypes);
    const known = witnessTypes.map(({ value }: { value: string }) => value);
    for (const { witness, advice } of body.claims) {
      expect(known).toContain(witness.witnessType);
      expect(advice.length).toBeGreaterThan(20);
    }
  });

  test('an unknown id starts from an empty record, and nothing is written', async () => {
    await reportAll(service, 'untouched', [fulfilled]);
    const before = await fingerprint(service);
    const { body } = await analyze('nobody', Array(50).fill(claim));
    expect(body.projection.asSubmitted).toMatchObject({
      baseline: 'blank',
      current: { score: 20, band: 'Unproven' },
    });
    expect(body.claims).toHaveLength(50);
    await analyze('untouched', [claim]);
    expect(await fingerprint(service)).toBe(before);
  });

  test('refuses a text that cannot be stored, and says where', async () => {
    const { status, body } = await analyze('nobody', [claim, { ...claim, issuedBy: 'a\0b' }]);
    expect([status, body.details]).toMatchObject([400, [{ path: 'claims.1.issuedBy' }]]);
  });
});
