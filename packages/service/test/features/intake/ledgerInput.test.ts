import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import type { RequestOptions } from '#harness/service.js';

const UNKNOWN_ID = '0199a3c2-9d10-7b44-8c2e-000000000007';
const EVENT = { userId: 'worker-1', eventType: 'TRANSACTION_COMPLETED' };
const LARGE = '9007199254740993';
const HUGE = `-${'1234567890'.repeat(5)}`;

describe.each(breadth)('the ledger stores what was sent, on %s', (engine) => {
  const service = givenSharedService(engine);

  const post = (path: string, body: unknown, options: RequestOptions = {}) =>
    service.request('POST', path, { ...options, body });
  const errorOf = async (path: string, body: unknown, options: RequestOptions = {}) => {
    const answer = await post(path, body, options);
    const [first] = answer.body.details ?? [];
    return [answer.status, answer.body.code, first?.path];
  };

  describe('a name that an object has twice', () => {
    const event = '"userId":"a","eventType":"REVIEW_VERIFIED"';
    test.each([
      ['/events', `{${event},"isVerified":true,"isVerified":false}`, 'isVerified'],
      ['/events', `{${event},"user\\u0049d":"b"}`, 'userId'],
      ['/events', `{${event},"metadata":{"a":[0,{"b":1,"b":1}]}}`, 'metadata.a.1.b'],
      ['/events/batch', '{"events":[{"userId":"a"},{"userId":"a","userId":"a"}]}', 'events.1.userId'],
      ['/ingest', '{"records":[{"x":{"":1,"":2}}],"mapping":{}}', 'records.0.x.'],
      ['/imports', '{"csv":"a","csv":"b","mapping":{}}', 'csv'],
      ['/references', '{"userId":"a","claim":{"kind":"skill","kind":"employment"}}', 'claim.kind'],
      [`/disputes/${UNKNOWN_ID}/resolve`, '{"a":1,"a":1}', 'a'],
      ['/confirmations/x/respond', '{"token":"a","decision":"decline","decision":"confirm"}', 'decision'],
    ])('is refused at %s: %s', async (path, body, at) => {
      expect(await errorOf(path, body)).toEqual([400, 'VALIDATION_ERROR', at]);
    });

    test('is no error in different objects or inside of a text', async () => {
      const body =
        '{"userId":"a","eventType":"REVIEW_VERIFIED","metadata":{"a":{"a":"{\\"a\\":1,\\"a\\":1}"},"A":[{"a":1},{"a":1}]}}';
      expect((await post('/events', body)).status).toBe(201);
    });
  });

  describe('integers in metadata', () => {
    const metadata = `{"order":${LARGE},"list":[${HUGE},1,{"deep":${LARGE}}],"text":"${LARGE}","rate":0.30000000000000004,"big":1e300}`;
    const event = (userId: string, more = '') =>
      `{"userId":"${userId}","eventType":"REVIEW_VERIFIED"${more},"metadata":${metadata}}`;
    /** Compares the text of the answer: JSON.parse would round. */
    const keeps = (text: string) => {
      expect(text).toContain(`"order":${LARGE}`);
      expect(text).toContain(`"list":[${HUGE},1,{"deep":${LARGE}}]`);
      expect(text).toContain(`"text":"${LARGE}"`);
      expect(text).toContain('"rate":0.30000000000000004,"big":1e+300');
    };

    test('are answered, exported, listed and replayed to the digit', async () => {
      const headers = { 'Idempotency-Key': `digits-${engine}` };
      const first = await post('/events', event('digits'), { headers });
      expect(first.status).toBe(201);
      keeps(first.text);
      const again = await post('/events', event('digits'), { headers });
      expect(again.headers.get('idempotent-replay')).toBe('true');
      keeps(again.text);
      await service.settle();
      keeps((await service.request('GET', '/events/export?limit=1000')).text);
      keeps((await service.request('GET', '/users/digits/timeline')).text);
      keeps((await service.request('GET', `/events/${first.body.eventId}`)).text);
      const csv = (await service.request('GET', '/events/export?format=csv')).text;
      keeps(csv.replaceAll('""', '"'));
    });

    test('with one different digit are different content under an item key', async () => {
      const key = `,"idempotencyKey":"item-${engine}"`;
      await post('/events', event('digits-2', key));
      const same = await post('/events', event('digits-2', key));
      expect(same.body.warnings).toEqual([]);
      const other = await post('/events', event('digits-2', key).replaceAll(LARGE, '9007199254740992'));
      expect(other.body.warnings).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
      keeps(other.text);
    });

    test('come through a batch, an ingest and a confirmation', async () => {
      await post('/events/batch', `{"events":[${event('batch-digits')}]}`);
      const mapping = { userId: { path: 'who' }, eventType: { constant: 'REVIEW_VERIFIED' } };
      const rules = { ...mapping, metadata: { all: { path: 'all' }, no: { path: 'no', transform: 'trim' } } };
      await post(
        '/ingest',
        `{"records":[{"who":${LARGE},"no":${LARGE},"all":${metadata}}],"mapping":${JSON.stringify(rules)}}`,
      );
      const asked = await post(
        '/confirmations',
        `{"userId":"asked-digits","eventType":"REVIEW_VERIFIED","counterpartyRef":"c","description":"d","metadata":${metadata}}`,
      );
      const { confirmation, confirmationToken: token } = asked.body;
      await post(`/confirmations/${confirmation.id}/respond`, { token, decision: 'confirm' }, { key: null });
      const { text, body } = await service.request('GET', '/events/export?limit=1000');
      for (const userId of ['batch-digits', LARGE, 'asked-digits']) {
        const at = text.indexOf(`"userId":"${userId}"`);
        expect(at, userId).toBeGreaterThan(0);
        keeps(text.slice(at, text.indexOf('"createdAt"', at)));
      }
      expect(body.events.some(({ userId }: { userId: string }) => userId === LARGE)).toBe(true);
      expect(text).toContain(`"no":${LARGE}`);
    });

    test('are numbers like any other in fields that have a range', async () => {
      const body = `{"userId":"a","eventType":"REVIEW_VERIFIED","transactionValue":${LARGE}}`;
      const answer = await post('/events', body);
      expect(answer.body.details).toMatchObject([
        { path: 'transactionValue', code: 'too_big', expected: 1e15 },
      ]);
      expect(await errorOf('/events', body.replace('transactionValue', 'metadata'))).toEqual([
        400,
        'VALIDATION_ERROR',
        'metadata',
      ]);
    });

    test('cannot be forged by a text', async () => {
      const body =
        '{"userId":"a","eventType":"REVIEW_VERIFIED","metadata":{"x":"\\u00001","y":9007199254740993}}';
      expect(await errorOf('/events', body)).toEqual([400, 'VALIDATION_ERROR', 'metadata.x']);
    });

    test('are refused where they are longer than metadata may be, however often a mapping reads them', async () => {
      const metadata = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`n${i}`, { path: 'n' }]));
      const mapping = { userId: { constant: 'a' }, eventType: { constant: 'REVIEW_VERIFIED' }, metadata };
      const record = `{"n":${'7'.repeat(900_000)}}`;
      const answer = await post('/ingest', `{"records":[${record}],"mapping":${JSON.stringify(mapping)}}`);
      expect(answer.body.results[0].error.message).toContain('metadata');
    });
  });

  describe('a misspelt field', () => {
    test('in metadata or in a record is ignored', async () => {
      const own = { isVerifed: true, userid: 'x' };
      expect((await post('/events', { ...EVENT, metadata: own })).body.warnings).toEqual([]);
      const mapping = { userId: { path: 'userid' }, eventType: { constant: 'REVIEW_VERIFIED' } };
      const answer = await post('/ingest', { records: [own], mapping });
      expect(answer.body).toMatchObject({ createdCount: 1 });
    });

    test('of an item fails that item, together with its other errors', async () => {
      const answer = await post('/events/batch', { events: [EVENT, { usrId: 'a' }] });
      expect(answer.body).toMatchObject({ createdCount: 1, failedCount: 1 });
      expect(answer.body.results[1].error.details).toMatchObject([
        { path: 'events.1.usrId', expected: 'userId' },
        { path: 'events.1.userId', code: 'required' },
        { path: 'events.1.eventType', code: 'required' },
      ]);
    });
  });

  describe('query parameters', () => {
    test.each([
      ['/users?scoremin=80', 'BOOK_QUERY_INVALID', 'scoreMin'],
      ['/users?limt=5', 'BOOK_QUERY_INVALID', 'limit'],
      ['/users?score_min=5', 'BOOK_QUERY_INVALID', 'scoreMin'],
      ['/confirmations?user=a', 'VALIDATION_ERROR', 'userId'],
      ['/imports?curser=a', 'VALIDATION_ERROR', 'cursor'],
      ['/events/export?form=2026-01-01', 'EXPORT_RANGE_INVALID', 'from'],
      ['/outcome-templates?industrie=legal', 'VALIDATION_ERROR', 'industry'],
    ])('%s is refused', async (path, code, expected) => {
      const answer = await service.request('GET', path);
      expect([answer.status, answer.body.code]).toEqual([400, code]);
      expect(answer.body.details).toMatchObject([{ expected }]);
      expect(answer.body.error).toContain('did you mean');
    });

    test('of other names are ignored, and named in a header that none of them can break', async () => {
      const path = '/users?colour=red&a%0d%0aSet-Cookie:b=1&%C3%BC=1&a,b=2';
      const answer = await service.request('GET', path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-unknown-parameters')).toBe('colour, a%0D%0ASet-Cookie%3Ab, %C3%BC, a%2Cb');
      expect(answer.headers.get('set-cookie')).toBeNull();
      const none = await service.request('GET', '!/health?utm_source=mail&fbclid=1', { key: null });
      expect(none.headers.get('x-unknown-parameters')).toBe('utm_source, fbclid');
      const many = Array.from({ length: 50 }, (_, i) => `p${i}${'x'.repeat(100)}=1`).join('&');
      const header = (await service.request('POST', `/events?${many}`, { body: EVENT })).headers.get(
        'x-unknown-parameters',
      );
      expect(header?.split(', ')).toHaveLength(10);
      expect((await service.request('GET', '/users?limit=5')).headers.get('x-unknown-parameters')).toBeNull();
    });

    test('that advertisers add do not break a page', async () => {
      const page = await service.request('GET', '!/confirm/x?token=y&utm_source=a&fbclid=b&ref=c', {
        key: null,
      });
      expect(page.status).toBe(401);
      expect(page.text).toContain('<html');
    });
  });
});
