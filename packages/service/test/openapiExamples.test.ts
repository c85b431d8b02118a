import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { FORM_TYPE } from '#kit/http/bodies.js';
import { sourceOf } from '#kit/http/openapi.js';
import { essenceOf } from '#kit/http/openapiOperation.js';
import idSources from '../data/idSources.json' with { type: 'json' };
import { describeApi } from '../src/features/system/system/describeApi.js';
import { engines, mainEngine } from './harness/engines.js';
import { operationsIn } from './harness/openapiCheck.js';
import { asExample, readAnswerExamples, writeAnswerExamples } from './harness/recordedExamples.js';
import { routeTable } from './harness/routeTable.js';
import { startTestService, TEST_KEYS, type TestAnswer, type TestService } from './harness/service.js';
import { words } from './harness/words.js';
import { settledLog } from './ledger/log/logDeps.js';

const table = routeTable();
/** These have the examples of the operations whose twins they are. */
const twins = new Set(
  Object.values(table).flatMap(({ twinOf, operationId }) => (twinOf === undefined ? [] : [operationId])),
);
const document = await describeApi(() => table, 'http://localhost:3000')();

const operations = operationsIn(document);
type Located = (typeof operations)[number];

/** Operations whose example cannot work: each needs a value that only its caller has. */
const NEEDS_MORE: Readonly<Record<string, string>> = {
  fetchCredential: 'a proof signed with the key of a wallet',
  addCheckpoint: 'a checkpoint signed by a log that this service witnesses',
  readWitnessedCheckpoint: 'a log that this service witnesses',
  signInToConsole: 'a key of this service',
  readConsoleSession: 'the cookie of a session',
  chooseConsoleUser: 'the cookie of a session',
  beginConsoleSignIn: 'an issuer',
  finishConsoleSignIn: 'an answer of an issuer',
};

/** Their schemas have the examples: answers are too long, or depend on what the log has signed so far. */
const SHOWN_BY_SCHEMA = words`listEnums listErrors listOutcomeTemplates listPlans listReasonCodes readChangelog
  readEvent readReceipt readScoringModel`;

/** These read what is in the log. */
const READS_LOG = words`readReceipt readScoreProof readLogCheckpoint readLogTile readLogConsistency
  readGroupLogTile readGroupLogConsistency`;

/** Their address has the token of a record link, which is in a `url`. */
const OF_RECORD_LINK = words`showRecord openReview withdrawReview shareRecord downloadRecord downloadRecordTable`;

/** All examples of requests are from before. */
const NOW = new Date('2026-03-15T09:00:00.000Z');
const HOST = 'https://scores.example';

/** These end or delete their object, or come before it is made: each gets its own. */
const ENDS_IT = words`cancelConfirmation respondToConfirmation answerConfirmationPage cancelReference
  respondToReference answerReferencePage answerReview openReview withdrawReview resolveDispute resolveDisputeByPost projectDispute rotateKey adminRotateKey`;

describe.each(engines)(
  'the examples of the OpenAPI document, sent in its order to a fresh service on %s',
  (engine) => {
    let service: TestService;
    const answers: Answers = new Map();
    const { written } = readAnswerExamples();
    const recorded = new Map<string, unknown>();

    beforeAll(async () => {
      service = await startTestService(engine, {
        env: { SECURITY_CONTACT: 'mailto:security@example.com', BASE_URL: HOST },
        clock: { now: () => NOW },
      });
    });
    afterAll(() => service?.close());

    const inOrder = operations.filter(({ name }) => !Object.hasOwn(NEEDS_MORE, name));
    /** After these the subject of the examples is gone. */
    const isErasure = ({ name }: Located) => name === 'eraseUser' || name === 'adminEraseUser';
    const isLast = (placed: Located) => placed.method === 'DELETE' || isErasure(placed);
    const ending = inOrder.filter(isLast).sort((a, b) => Number(isErasure(a)) - Number(isErasure(b)));

    test.each([...inOrder.filter((placed) => !isLast(placed)), ...ending])('$name', async (placed) => {
      const answer = await send(placed, ENDS_IT.includes(placed.name) ? new Map() : null);
      expect(answer.status, answer.text).toBeLessThan(300);
      expect(answer.body?.failedCount ?? 0, answer.text).toBe(0);
      record(placed.name, answer);
    });

    /** On one engine and one ledger group: the group is in tokens and addresses. */
    const isRecorded = engine === mainEngine && inject('groups') === 1;

    test.runIf(isRecorded)('came back as packages/service/data/answers.json shows', () => {
      if (process.env.RECORD_EXAMPLES === '1') return writeAnswerExamples(recorded);
      const { written: _, ...shown } = readAnswerExamples();
      expect(Object.fromEntries(recorded), 'run `npm run generate:examples`').toEqual(shown);
    });

    function record(name: string, { status, headers, body }: TestAnswer): void {
      const type = essenceOf(headers.get('content-type') ?? '');
      if (!type.endsWith('json')) return;
      const key = type === 'application/json' ? `${name} ${status}` : `${name} ${status} ${type}`;
      if (twins.has(name) || SHOWN_BY_SCHEMA.includes(name) || Object.hasOwn(written, key)) return;
      recorded.set(key, asExample(body));
    }

    /**
     * @param own the creators called for this operation alone; null: earlier results can be used.
     */
    async function send(placed: Located, own: Answers | null): Promise<TestAnswer> {
      const { name, method, path, operation } = placed;
      const { parameters = [], requestBody, security } = operation;
      if (READS_LOG.includes(name)) await settledLog(service.db);
      const given = (await byOtherMeans[name]?.()) ?? {};
      const valueFor = async (location: Location, field: string) =>
        given[field] ?? (await madeBefore(path, location, field, own));
      let filled = path;
      const query = new URLSearchParams();
      for (const { name: field, in: where, required, example } of parameters) {
        if (where === 'path') {
          const value = (await valueFor('path', field)) ?? example;
          filled = filled.replace(`{${field}}`, encodeURIComponent(String(value)));
        } else if (where === 'query') {
          const value = (await valueFor('?', field)) ?? (required ? example : undefined);
          if (value !== undefined) query.set(field, String(value));
        }
      }
      const [[type, media] = ['', undefined]] = Object.entries(requestBody?.content ?? {});
      const body = structuredClone(media?.example) as Record<string, string> | undefined;
      for (const field of Object.keys(body ?? {})) {
        const value = await valueFor('#', field);
        if (body && value !== undefined) body[field] = value as string;
      }
      const answer = await service.request(method, `!${filled}?${query}`, {
        key: path.includes('/test/') ? TEST_KEYS.test : TEST_KEYS.live,
        admin: security.some((scheme) => 'adminSecret' in scheme),
        ...(type === FORM_TYPE
          ? { headers: { 'Content-Type': type }, body: `${new URLSearchParams(body)}` }
          : { body }),
      });
      await service.settle();
      (own ?? answers).set(name, answer);
      return answer;
    }

    /** The answer of an earlier operation, which is called now if it has not been. */
    async function madeBefore(
      path: string,
      location: Location,
      field: string,
      own: Answers | null,
    ): Promise<unknown> {
      const source = sourceOf(idSources, path, location, field);
      if (source === null) return undefined;
      const maker = operations.find(({ name }) => name === source.operationId);
      if (!maker) throw new Error(`there is no operation ${source.operationId}`);
      const answer = (own ?? answers).get(maker.name) ?? (await send(maker, own));
      return source.pointer
        .split('/')
        .slice(1)
        .reduce((inner: unknown, step) => (inner as Record<string, unknown>)?.[step], answer.body);
    }

    /**
     * Values that descriptions require and no operation of the same platform and subject returns.
     */
    let recordToken: Promise<string> | undefined;
    const ofRecord = async () => {
      recordToken ??= tokenOfRecord();
      return { token: await recordToken };
    };
    const tokenOfRecord = async () =>
      (await service.request('POST', '/users/worker-4711/record-links')).body.url.split('/').at(-1);
    const byOtherMeans: Record<string, () => Promise<Record<string, unknown>>> = {
      ...Object.fromEntries(OF_RECORD_LINK.map((name) => [name, ofRecord])),
      async readStatusList() {
        const [list] = await service.db.query<{ n: number }>('select list_no as n from status_list');
        return { n: list?.n };
      },
      async linkUser() {
        const made = await service.request('POST', '/admin/platforms', {
          admin: true,
          body: { name: 'Another' },
        });
        const key = made.body.keys.live.key;
        await service.request('POST', '/events', {
          key,
          body: { userId: 'w-9', eventType: 'REVIEW_VERIFIED' },
        });
        await service.settle();
        const { linkToken } = (await service.request('POST', '/users/w-9/link-token', { key })).body;
        return { linkToken };
      },
      async verifyBusinessRecord() {
        const { userId } = answers.get('registerBusiness')?.body ?? {};
        return { token: (await service.request('POST', `/users/${userId}/share-token`)).body.shareToken };
      },
      async issueOpenBadge() {
        const done = {
          eventType: 'CONTRACT_FULFILLED',
          stakeLevel: 'HIGH',
          isVerified: true,
          userId: 'worker-4711',
        };
        await service.request('POST', '/events/batch', { body: { events: Array(20).fill(done) } });
        await service.settle();
        return {};
      },
    };
  },
);

type Location = 'path' | '?' | '#';
type Answers = Map<string, TestAnswer>;
