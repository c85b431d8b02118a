import { eventTypes } from '@reliability/scoring';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { fingerprint, fulfilled, reportOf } from './recordFixtures.js';

const claim = { title: 'Acceptance protocol', eventType: 'CONTRACT_FULFILLED' };

describe.each(breadth)('the analysis of documents on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await joinTestService(engine);
  });
  afterAll(() => service.close());

  const analyze = (id: string, claims: unknown, key = service.liveKey) =>
    service.request('POST', `/users/${encodeURIComponent(id)}/documents/analyze`, { body: { claims }, key });

  test('projects the claims as submitted and as confirmed', async () => {
    await reportOf(service, 'worker', [fulfilled, { eventType: 'REVIEW_VERIFIED' }]);
    const dated = { ...claim, completedAt: '2026-02-01T10:00:00Z', dueDate: '2026-02-02T10:00:00Z' };
    const { status, body } = await analyze('worker', [
      dated,
      { ...dated, isVerified: true, counterpartyRef: 'Ann' },
    ]);
    expect(status).toBe(200);
    const events = (verified: boolean[]) =>
      verified.map((isVerified) => ({
        eventType: dated.eventType,
        completedAt: dated.completedAt,
        dueDate: dated.dueDate,
        isVerified,
      }));
    const projected = async (verified: boolean[]) => {
      const answer = await service.request('POST', '/users/worker/score/project', {
        body: { events: events(verified) },
      });
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

  test('the subject is no attester of itself under any spelling of its id', async () => {
    const spellings = ['Straße 7', 'STRASSE 7', ' straße７ ', 'stra\u200bsse\u00a07'];
    const claims = spellings.map((counterpartyRef) => ({ ...claim, counterpartyRef, isVerified: true }));
    const { body } = await analyze('Straße 7', [
      ...claims,
      { ...claim, counterpartyRef: 'Straße 8', isVerified: true },
    ]);
    const verified = body.claims.map((entry: { verifiedAsSubmitted: boolean }) => entry.verifiedAsSubmitted);
    expect(verified).toEqual([false, false, false, false, true]);
    expect(body.claims[0].advice).toContain('self-attested');
  });

  test('names an attester of the catalogue for every event type, with its guide', async () => {
    const { body } = await analyze(
      'nobody',
      eventTypes.map((eventType) => ({ title: eventType, eventType })),
    );
    const { witnessTypes } = (await service.request('GET', '/outcome-templates', { key: null })).body;
    expect(body.witnessGuide.witnessTypes).toEqual(witnessTypes);
    const known = witnessTypes.map(({ value }: { value: string }) => value);
    for (const { witness, advice } of body.claims) {
      expect(known).toContain(witness.witnessType);
      expect(advice.length).toBeGreaterThan(20);
    }
  });

  test('an unknown id starts from an empty record, and nothing is written', async () => {
    await reportOf(service, 'untouched', [fulfilled]);
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

  test.each([
    ['no claims', [], 'claims'],
    ['51 claims', Array(51).fill(claim), 'claims'],
    ['no title', [{ eventType: 'CONTRACT_FULFILLED' }], 'claims.0.title'],
    ['an empty title', [{ ...claim, title: '' }], 'claims.0.title'],
    ['a title of 256 characters', [{ ...claim, title: 'a'.repeat(256) }], 'claims.0.title'],
    ['a NUL', [{ ...claim, issuedBy: 'a\0b' }], 'claims.0.issuedBy'],
    ['an unknown type', [claim, { ...claim, eventType: 'DIPLOMA' }], 'claims.1.eventType'],
    ['a date that is none', [{ ...claim, completedAt: 'yesterday' }], 'claims.0.completedAt'],
  ])('refuses %s', async (_, claims, path) => {
    const answer = await analyze('nobody', claims);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.details[0].path).toBe(path);
  });
});
