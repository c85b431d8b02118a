import { formatTlogProof, formatVerifierKey, parseTilePath, tileWidth } from '@reliability/proof';
import { fail, failValidation } from '../../../domain/errors.js';
import { userPath } from '../../../domain/externalId.js';
import type { Queryable } from '../../../kit/db/database.js';
import { media, ok, serializedAnswer } from '../../../kit/http/answer.js';
import { fixedText } from '../../../kit/http/fixedDocument.js';
import { everyone, keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { readConsistencyProof, readTile } from '../../../ledger/log/blocks.js';
import { findLatestCheckpoint } from '../../../ledger/log/checkpoints.js';
import { logVerifierKey, originOf } from '../../../ledger/log/logKey.js';
import { failNotLogged, findReceipt } from '../../../ledger/log/receipt.js';
import { findScoreProof } from '../../../ledger/log/scoreProof.js';
import { refuseTestKey, subjectOf } from '../../../ledger/requests/addressedSubject.js';
import type { KeyRing } from '../../../ledger/signingKeys.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { witnessKey } from '../witness/cosign.js';
import { groupTwins } from './groupTwins.js';
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
