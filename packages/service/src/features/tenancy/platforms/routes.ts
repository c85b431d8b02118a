import { ok } from '../../../kit/http/answer.js';
import { operator, type RouteTable, route } from '../../../kit/http/route.js';
import { platformPath } from '../../../ledger/requests/knownPlatform.js';
import { changeScopes, listKeys, mintKey, type PlatformDeps, rotateKey } from './changeKeys.js';
import { createPlatform, updatePlatform } from './changePlatforms.js';
import {
  KeyBody,
  KeyList,
  KeyMinted,
  KeyRecord,
  KeyRotated,
  platformKeyPath,
  RotationBody,
  ScopesBody,
} from './keySchemas.js';
import {
  PlatformBody,
  PlatformChanges,
  PlatformCreated,
  PlatformPage,
  PlatformQuery,
  PlatformRecord,
} from './schemas.js';
import { listPlatforms, readPlatform } from './store.js';

/** The operator's operations on platforms and their keys (RULES K9). */
export function platformRoutes(deps: PlatformDeps): RouteTable {
  const forOperator = { access: operator, tag: 'Operator' };
  const onPlatform = { ...forOperator, params: platformPath, errors: ['NOT_FOUND'] as const };
  return {
    'GET /admin/platforms': route({
      operationId: 'adminListPlatforms',
      ...forOperator,
      summary: 'List the platforms of this installation',
      description:
        'Every platform with its trust tier, plan, limits and state, newest first. Its keys are at ' +
        '`/admin/platforms/{id}/keys`.',
      query: PlatformQuery,
      answers: { 200: PlatformPage },
      handle: async ({ query }) => ok(await listPlatforms(deps.db, query)),
    }),
    'POST /admin/platforms': route({
      operationId: 'adminCreatePlatform',
      ...forOperator,
      summary: 'Create a platform with its first keys',
      description:
        'Returns one live and one test key, both with full access. They are shown only once: the service stores hashes.',
      idempotent: true,
      body: PlatformBody,
      answers: { 201: PlatformCreated },
      errors: ['CONFLICT'],
      handle: ({ body, claim }) => createPlatform(deps, body, claim),
    }),
    'GET /admin/platforms/{id}': route({
      operationId: 'adminReadPlatform',
      ...onPlatform,
      summary: 'Read a platform',
      description: 'Returns its trust tier, plan, limits, settings and state.',
      answers: { 200: PlatformRecord },
      handle: async ({ params }) => ok(await readPlatform(deps.db, params.id)),
    }),
    'PATCH /admin/platforms/{id}': route({
      operationId: 'adminUpdatePlatform',
      ...onPlatform,
      summary: 'Change a platform',
      description:
        'Changes trust tier, plan, limits or state. Fields left out keep their value. A new trust tier applies to events ' +
        'reported from now on: each event in the ledger keeps the tier under which it was reported.',
      body: PlatformChanges,
      answers: { 200: PlatformRecord },
      handle: async ({ params, body }) => ok(await updatePlatform(deps, params.id, body)),
    }),
    'GET /admin/platforms/{id}/keys': route({
      operationId: 'adminListKeys',
      ...onPlatform,
      summary: "List a platform's keys",
      description:
        'All live and test keys, revoked ones included: label, scopes, expiry and last use. A key itself is shown only ' +
        'when it is created.',
      answers: { 200: KeyList },
      handle: async ({ params }) => ok({ keys: await listKeys(deps, params.id) }),
    }),
    'POST /admin/platforms/{id}/keys': route({
      operationId: 'adminCreateKey',
      ...onPlatform,
      summary: 'Mint a key for a platform',
      description: 'For a platform that has lost or revoked its last key. The new key is shown only once.',
      idempotent: true,
      body: KeyBody,
      bodyOptional: true,
      answers: { 201: KeyMinted },
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: ({ params, body, claim }) => mintKey(deps, params.id, body, claim),
    }),
    'PATCH /admin/platforms/{id}/keys/{keyId}': route({
      operationId: 'adminUpdateKey',
      ...onPlatform,
      params: platformKeyPath,
      summary: 'Change the scopes of a key',
      description:
        'Replaces its scopes. The key itself, its mode, label and expiry stay the same, so its users change nothing.',
      body: ScopesBody,
      answers: { 200: KeyRecord },
      handle: async ({ params, body }) => ok(await changeScopes(deps, params.id, params.keyId, body.scopes)),
    }),
    'POST /admin/platforms/{id}/keys/{keyId}/rotate': route({
      operationId: 'adminRotateKey',
      ...onPlatform,
      params: platformKeyPath,
      summary: 'Replace a key of a platform',
      description: 'Creates a new key with the same label, scopes, mode and expiry. It is shown only once.',
      idempotent: true,
      body: RotationBody,
      bodyOptional: true,
      answers: { 201: KeyRotated },
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: ({ params, body, claim }) => rotateKey(deps, params.id, params.keyId, body, claim),
    }),
  };
}
