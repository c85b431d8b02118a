import { formatTlogProof, formatVerifierKey, parseTilePath, tileWidth } from '@reliability/proof';
import { z } from 'zod';
import { fail, failValidation } from '#domain/errors.js';
import { userPath } from '#domain/externalId.js';
import type { Queryable } from '#kit/db/database.js';
import { media, ok, serializedAnswer } from '#kit/http/answer.js';
import { fixedText } from '#kit/http/fixedDocument.js';
import { everyone, keyFor, type Route, type RouteTable, route } from '#kit/http/route.js';
import { isUuid } from '#kit/ids.js';
import { readConsistencyProof, readTile } from '#ledger/log/blocks.js';
import { findLatestCheckpoint } from '#ledger/log/checkpoints.js';
import { logVerifierKey, originOf } from '#ledger/log/logKey.js';
import { failNotLogged, findReceipt } from '#ledger/log/receipt.js';
import { findScoreProof } from '#ledger/log/scoreProof.js';
import { refuseTestKey, subjectOf } from '#ledger/requests/addressedSubject.js';
import type { KeyRing } from '#ledger/signingKeys.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { witnessKey } from '../witness/cosign.js';
import {
  Consistency,
  ConsistencyQuery,
  eventPath,
  LogIdentity,
  Receipt,
  ReceiptQuery,
  ScoreProof,
  tilePath,
} from './schemas.js';
import { scoreProofText } from './scoreProofText.js';

interface LogDeps extends Pick<ServiceDeps, 'db' | 'reads' | 'config' | 'groups'> {
  /** Keys of purpose 'log'. */
  logKeys: KeyRing;
  /** Keys of purpose 'witness'. */
  witnessKeys: KeyRing;
}

const TEXT = 'text/plain; charset=utf-8';
const TILE_TYPE = 'application/octet-stream';

/** A new checkpoint is signed about once a second. */
const CHECKPOINT_CACHE = { 'Cache-Control': 'public, max-age=2' };
const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const IDENTITY_CACHE = { 'Cache-Control': 'public, max-age=300' };

/** The transparency log: its public files, and receipts and proofs for platforms (RULES E15, P8). */
export function logRoutes(deps: LogDeps): RouteTable {
  const files = publicFiles(deps);
  return { ...files, ...groupTwins(files, deps.db.ledgers.own), ...proofs(deps) };
}

function publicFiles({ db, groups, reads, config, logKeys, witnessKeys }: LogDeps): RouteTable {
  const isPublic = { access: everyone, tag: 'Transparency log' };
  return {
    'GET !/log/checkpoint': route({
      operationId: 'readLogCheckpoint',
      ...isPublic,
      answers: { 200: { media: [{ type: TEXT }] }, 304: null },
      errors: ['NOT_LOGGED_YET', 'SERVICE_UNAVAILABLE'],
      async handle(context) {
        const checkpoint = (await findLatestCheckpoint(db)) ?? (await failNotLogged(db));
        return fixedText(TEXT, checkpoint.note, CHECKPOINT_CACHE)(context);
      },
    }),
    'GET !/log/tile/{level}/{rest}': route({
      operationId: 'readLogTile',
      ...isPublic,
      isBulk: true,
      params: tilePath,
      answers: { 200: { media: [{ type: TILE_TYPE }] }, 304: null },
      errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
      async handle(context) {
        const path = `${context.params.level}/${context.params.rest}`;
        const hashes = await reads.from((db) => findTile(db, path));
        return fixedText(TILE_TYPE, hashes, FOREVER)(context);
      },
    }),
    'GET !/log/consistency': route({
      operationId: 'readLogConsistency',
      ...isPublic,
      query: ConsistencyQuery,
      answers: { 200: Consistency },
      errors: ['NOT_LOGGED_YET', 'SERVICE_UNAVAILABLE'],
      async handle({ query: { from, to } }) {
        const { treeSize } = (await findLatestCheckpoint(db)) ?? (await failNotLogged(db));
        refuseSizes(from, to, treeSize);
        const proof = await readConsistencyProof(db, from, to);
        return ok({ from, to, proof }, IDENTITY_CACHE);
      },
    }),
    'GET !/.well-known/ledger-log.json': route({
      operationId: 'readLogIdentity',
      ...isPublic,
      unmetered: true,
      answers: { 200: LogIdentity },
      errors: ['SERVICE_UNAVAILABLE'],
      async handle() {
        const [current, ...announced] = await logKeys.unretired();
        if (!current) throw new Error('a key ring always has a key that signs');
        const unretired = new Set([current, ...announced].map(({ keyId }) => keyId));
        const retired = (await logKeys.published()).filter(({ keyId }) => !unretired.has(keyId));
        const identityOf = (group: number) => {
          const origin = originOf(config.baseUrl, group);
          const vkeyOf = ({ publicJwk }: typeof current) =>
            formatVerifierKey(logVerifierKey(origin, publicJwk));
          return {
            origin,
            vkey: vkeyOf(current),
            announcedKeys: announced.map(vkeyOf),
            retiredKeys: retired.map(vkeyOf),
            witnesses: config.logWitnesses.map(({ key }) => formatVerifierKey(key)),
          };
        };
        const body = {
          ...identityOf(0),
          asWitness: await asWitness(config, witnessKeys),
          otherLogs: groups()
            .slice(1)
            .map(({ ledgers }) => identityOf(ledgers.own)),
        };
        return ok(body, IDENTITY_CACHE);
      },
    }),
  };
}

/** Null: this service witnesses no log. */
async function asWitness({ baseUrl, logWitnessFor }: LogDeps['config'], witnessKeys: KeyRing) {
  if (logWitnessFor.length === 0) return null;
  const [vkey = '', ...announcedKeys] = (await witnessKeys.unretired()).map(({ publicJwk }) =>
    formatVerifierKey(witnessKey(baseUrl, publicJwk)),
  );
  const logs = [...new Set(logWitnessFor.map(({ name }) => name))];
  return { vkey, announcedKeys, url: `${baseUrl}/log/witness`, logs };
}

function refuseSizes(from: number, to: number, treeSize: number): void {
  if (from > to) {
    failValidation([{ path: 'from', code: 'too_big', message: `must not exceed \`to\`, which is ${to}` }]);
  }
  if (to > treeSize) {
    failValidation([
      { path: 'to', code: 'too_big', message: `the newest checkpoint covers ${treeSize} leaves` },
    ]);
  }
}

/** A replica may lack the newest tiles: the failure makes the primary answer. */
async function findTile(db: Queryable, path: string): Promise<Buffer> {
  const tile = parseTilePath(path);
  const checkpoint = tile && (await findLatestCheckpoint(db));
  const isThere = tile && checkpoint && tile.width <= tileWidth(tile, checkpoint.treeSize);
  const hashes = isThere ? await readTile(db, tile) : null;
  return hashes ?? fail('NOT_FOUND', { message: 'The log has no tile with this address and width.' });
}

function proofs({ db }: LogDeps): RouteTable {
  return {
    'GET /events/{id}/receipt': route({
      operationId: 'readReceipt',
      access: keyFor('events'),
      tag: 'Transparency log',
      params: eventPath,
      query: ReceiptQuery,
      answers: { 200: { json: Receipt, media: [{ type: TEXT }] } },
      errors: ['NOT_FOUND', 'NOT_LOGGED_YET', 'SUBJECT_ERASED', 'TEST_MODE_NOT_ALLOWED'],
      async handle({ caller, params, query }) {
        refuseTestKey(caller);
        const receipt = isUuid(params.id) ? await findReceipt(db, caller.platformId, params.id) : null;
        if (receipt === null) return fail('NOT_FOUND', { message: 'You have no event with this id.' });
        if (receipt === 'pending') return failNotLogged(db);
        if (query.format === 'json') return ok(receipt);
        return media(TEXT, formatTlogProof(receipt));
      },
    }),
    'GET /users/{id}/score/proof': route({
      operationId: 'readScoreProof',
      access: keyFor('scores'),
      tag: 'Transparency log',
      params: userPath,
      answers: { 200: ScoreProof },
      errors: ['USER_NOT_FOUND', 'NOT_LOGGED_YET', 'TEST_MODE_NOT_ALLOWED'],
      async handle(context) {
        const { caller, params } = context;
        refuseTestKey(caller);
        const found = (await findScoreProof(db, subjectOf(context))) ?? fail('USER_NOT_FOUND');
        const proof = found === 'pending' ? await failNotLogged(db) : found;
        return serializedAnswer({
          status: 200,
          body: scoreProofText(params.id, proof),
          headers: { 'Content-Type': 'application/json; charset=utf-8' },
        });
      },
    }),
  };
}

/**
 * The files of the log of each ledger group: `GET /log/checkpoint` of the first is also `GET
 * /log/g0/checkpoint`. A twin runs the same handler in the group of that name.
 */
function groupTwins(table: RouteTable, group: number): RouteTable {
  const files = Object.entries(table).filter(([name]) => name.startsWith(FILES));
  return Object.fromEntries(files.map(([name, route]) => twinOf(name, route, group)));
}

const FILES = 'GET !/log/';

function twinOf(name: string, route: Route, group: number): [string, Route] {
  const twin: Route = {
    ...route,
    operationId: route.operationId.replace('readLog', 'readGroupLog'),
    summary: `For a ledger group: ${route.summary.charAt(0).toLowerCase()}${route.summary.slice(1)}`,
    description:
      `${route.description}\n\nThe same as \`${name.replace('!', '')}\`, of a ledger group with a log of its own. ` +
      '`/.well-known/ledger-log.json` lists the logs.',
    params: twinParams(route),
    errors: [...new Set([...(route.errors ?? []), 'NOT_FOUND' as const])],
    groupOf: ({ params }) => Math.max(0, groupOfName(params)),
    handle(context) {
      const { log, ...params } = context.params as Record<string, string>;
      if (groupOfName({ log }) !== group) {
        return fail('NOT_FOUND', { message: 'There is no log with this name.' });
      }
      return route.handle({ ...context, params });
    },
  };
  return [name.replace('/log/', '/log/{log}/'), twin];
}

/** -1: not the name of a log. */
function groupOfName(params: unknown): number {
  const { log = '' } = params as { log?: string };
  return Number(/^g(0|[1-9]\d{0,2})$/.exec(log)?.[1] ?? -1);
}

const LOG_NAME = z.string().max(4);

function twinParams({ params }: Route): z.ZodType {
  return z.object({ log: LOG_NAME, ...(params instanceof z.ZodObject ? params.shape : {}) });
}
