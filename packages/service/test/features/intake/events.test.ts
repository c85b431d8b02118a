import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { outcome, report } from './eventFixtures.js';

const NOW = new Date('2026-05-04T12:00:00.000Z');
const MINUTE_MS = 60_000;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const ABSENT = { transactionValue: null, dueDate: null, completedAt: null, metadata: null };

function fromNow(ms: number): string {
  return new Date(NOW.getTime() + ms).toISOString();
}

function nested(levels: number): object {
  return levels === 1 ? {} : { inner: nested(levels - 1) };
}

/** Exactly this many bytes as JSON. */
function metadataOf(bytes: number): object {
  return { text: 'x'.repeat(bytes - '{"text":""}'.length) };
}

describe.each(breadth)('reporting one outcome on %s', (engine) => {
  const service = givenService(engine, { clock: { now: () => NOW } });

  test('a full event comes back field by field, with its id and its time of recording', async () => {
    const sent = {
      userId: 'Müller / Söhne 7',
      eventType: 'CONTRACT_FULFILLED',
      stakeLevel: 'HIGH',
      isVerified: true,
      transactionValue: 480.25,
      dueDate: '2026-05-01T17:00:00.000Z',
      completedAt: '2026-05-01T15:42:10.120Z',
      metadata: { orderId: 'A-1009', nested: { list: [1, 'two', null, true] } },
    };
    const answer = await report(service, sent);
    expect(answer.status).toBe(201);
    const { eventId } = answer.body;
    expect(eventId).toMatch(UUID_V7);
    const { keyId: reportedBy } = (await service.request('GET', '/platform')).body;
    const createdAt = NOW.toISOString();
    const written = { autoImported: false, livemode: true, createdAt, attester: null, reportedBy };
    const event = { id: eventId, ...sent, ...written };
    expect(answer.body).toEqual({ eventId, event, warnings: [] });
    const order = 'id userId eventType stakeLevel isVerified transactionValue dueDate completedAt metadata';
    const names = `${order} autoImported livemode createdAt attester reportedBy`.split(' ');
    expect(Object.keys(answer.body.event)).toEqual(names);
  });

  test.each([
    ['left out', {}],
    ['null', { stakeLevel: null, isVerified: null, ...ABSENT, idempotencyKey: null }],
  ])('fields that are %s take their defaults: MEDIUM stake, unverified, the rest null', async (_, more) => {
    const { event, warnings } = (await report(service, outcome(more))).body;
    const defaults = { stakeLevel: 'MEDIUM', isVerified: false, autoImported: false };
    expect(event).toMatchObject({ ...defaults, ...ABSENT });
    expect(warnings).toEqual([]);
  });

  test.each([
    'TRANSACTION_COMPLETED',
    'TRANSACTION_DISPUTED',
    'TRANSACTION_CANCELLED',
    'REVIEW_VERIFIED',
    'CONTRACT_FULFILLED',
    'CONTRACT_CANCELLED',
    'CONTRACT_BREACHED',
    'DISPUTE_RESOLVED_FOR_USER',
  ])('%s can be reported', async (eventType) => {
    expect((await report(service, outcome({ eventType }))).status).toBe(201);
  });

  test.each([
    ['userId', 'custom', { userId: '.' }],
    ['userId', 'custom', { userId: '..' }],
    ['userId', 'custom', { userId: 'line\nbreak' }],
    ['userId', 'custom', { userId: 'c1 \u0085 control' }],
    ['eventType', 'invalid_value', { eventType: 'DISPUTE_FILED' }],
    ['eventType', 'invalid_value', { eventType: 'DISPUTE_RESOLVED_AGAINST_USER' }],
    ['eventType', 'invalid_value', { eventType: 'PROJECT_LOGGED' }],
    ['dueDate', 'invalid_format', { dueDate: '2026-03-01T09:00:00' }],
    ['completedAt', 'custom', { completedAt: '0000-06-01T00:00:00Z' }],
    ['completedAt', 'custom', { completedAt: fromNow(5 * MINUTE_MS + 1) }],
    ['metadata', 'custom', { metadata: nested(9) }],
    ['metadata', 'custom', { metadata: { list: [[[[[[[[]]]]]]]] } }],
    ['metadata', 'custom', { metadata: metadataOf(8 * 1024 + 1) }],
  ])('a fault in %s is refused as %s: %j', async (path, code, more) => {
    const { status, body } = await report(service, outcome(more));
    expect([status, body.code, body.retryable]).toEqual([400, 'VALIDATION_ERROR', false]);
    expect(body.details).toMatchObject([{ path, code }]);
    expect(body.details).toHaveLength(1);
    expect(body.error).toContain(path);
  });

  test.each(['[]', '"text"', 'null', '12'])('%s is no event', async (text) => {
    const { status, body } = await report(service, text);
    expect([status, body.details]).toMatchObject([400, [{ path: '', code: 'invalid_type' }]]);
  });

  test.each([
    ['transactionValue', '"transactionValue":1e999'],
    ['metadata.a.1.b', '"metadata":{"a":[0,{"b":1e400}]}'],
    ['metadata.a', '"metadata":{"a":-1.5E+309}'],
    ['metadata.a', `"metadata":{"a":${'9'.repeat(400)}.5}`],
  ])('a number that overflows a double is refused at %s, also in a batch', async (path, member) => {
    const event = `{"userId":"worker-1","eventType":"REVIEW_VERIFIED",${member}}`;
    const good = '{"userId":"worker-1","eventType":"REVIEW_VERIFIED","metadata":{"a":1.7e308}}';
    const { status, body } = await report(service, event);
    expect([status, body.details]).toMatchObject([400, [{ path }]]);
    expect(body.details[0].message).not.toContain('not a number');
    const batch = await service.request('POST', '/events/batch', { body: `{"events":[${event},${good}]}` });
    expect(batch.body).toMatchObject({ createdCount: 1, failedCount: 1 });
    expect(batch.body.results[0].error.details).toMatchObject([{ path: `events.0.${path}` }]);
  });

  test('values at a bound are accepted', async () => {
    const times = { completedAt: fromNow(5 * MINUTE_MS), dueDate: '9999-12-31T23:59:59.999Z' };
    for (const metadata of [metadataOf(8 * 1024), nested(8)])
      expect((await report(service, outcome({ ...times, metadata }))).status).toBe(201);
  });

  test('timestamps are accepted with any offset and returned in UTC, to the millisecond', async () => {
    const answer = await report(
      service,
      outcome({ dueDate: '2026-03-01T01:30:00+05:45', completedAt: '2026-02-28T19:44:59.123456Z' }),
    );
    expect(answer.body.event.dueDate).toBe('2026-02-28T19:45:00.000Z');
    expect(answer.body.event.completedAt).toBe('2026-02-28T19:44:59.123Z');
  });

  test('an unknown field is the caller’s own: named in a warning and not stored', async () => {
    const own = { reference: 'A-1', note: 'hello', id: 1, type: 'x', x: 1 };
    const { status, body } = await report(service, outcome(own));
    expect([status, body.warnings]).toMatchObject([201, Array(5).fill({ code: 'UNKNOWN_FIELD' })]);
    expect(body.event).not.toHaveProperty('note');
    expect(body.warnings[0].message).toContain('reference');
  });

  test.each([
    ['auto-imported activity has at most MEDIUM stake', 'HIGH', true, 'MEDIUM', ['STAKE_CAPPED']],
    ['a lower stake of auto-imported activity is kept', 'LOW', true, 'LOW', []],
    ['only true marks activity as auto-imported', 'HIGH', 'true', 'HIGH', []],
  ])('%s', async (_, stakeLevel, autoImported, recordedAs, codes) => {
    const { event, warnings } = (await report(service, outcome({ stakeLevel, metadata: { autoImported } })))
      .body;
    expect(event).toMatchObject({ stakeLevel: recordedAs, autoImported: autoImported === true });
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(codes);
  });

  test('ids that begin with test: are reserved for test mode', async () => {
    const refused = await report(service, outcome({ userId: 'test:bob' }));
    expect([refused.status, refused.body.code]).toEqual([400, 'RESERVED_EXTERNAL_ID']);
    const taken = await report(service, outcome({ userId: 'test:bob' }), { key: service.testKey });
    expect(taken.body.event).toMatchObject({ userId: 'test:bob', livemode: false });
  });

  test('every text without control characters can be a userId and is stored as given', async () => {
    const awkward = ['Ω≈ç√∫', '  spaced  ', 'a/b?c#d%20', '🙂'.repeat(127), "Robert'); drop table event;--"];
    for (const userId of awkward) {
      const answer = await report(service, outcome({ userId }));
      expect(answer.body.event.userId).toBe(userId);
    }
  });

  test('any value and any metadata is read back from the ledger as it was written', async () => {
    const values = fc.double({ min: 0, max: 1e15, noNaN: true }).map((value) => value + 0);
    const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((given) => !given.includes('\0'));
    const leaf = fc.oneof(
      text,
      fc.boolean(),
      fc.constant(null),
      fc.integer(),
      fc.double({ noDefaultInfinity: true, noNaN: true }),
    );
    const metadata = fc.dictionary(
      text.filter((name) => name !== '__proto__' && name !== 'autoImported'),
      fc.oneof(leaf, fc.array(leaf, { maxLength: 4 })),
      { maxKeys: 5, noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(values, metadata, fc.uuid(), async (transactionValue, extra, key) => {
        const body = outcome({ transactionValue, metadata: extra, idempotencyKey: key });
        const first = await report(service, body);
        expect(first.status).toBe(201);
        expect(first.body.event).toMatchObject({
          transactionValue,
          metadata: JSON.parse(JSON.stringify(extra)),
        });
        // The answer to a repeat comes from the stored row.
        expect((await report(service, body)).text).toBe(first.text);
      }),
      { numRuns: 30 },
    );
  });
});
