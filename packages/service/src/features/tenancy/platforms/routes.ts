import { ok } from '#kit/http/answer.js';
import { keyFor, operator, type RouteTable, route } from '#kit/http/route.js';
import { platformPath } from '#ledger/requests/addressedSubject.js';
import {
  changeScopes,
  listKeys,
  listOwnKeys,
  mintKey,
  mintOwnKey,
  type PlatformDeps,
  revokeOwnKey,
  rotateKey,
  rotateOwnKey,
} from './changeKeys.js';
import { createPlatform, readOwnPlatform, updateOwnPlatform, updatePlatform } from './changePlatforms.js';
import {
  KeyBody,
  KeyList,
  KeyMinted,
  KeyRecord,
  KeyRevoked,
  KeyRotated,
  OwnKeyBody,
  ownKeyPath,
  platformKeyPath,
  RevokeQuery,
  RotationBody,
  ScopesBody,
} from './keySchemas.js';
import {
  listPlatforms,
  OwnPlatform,
  OwnPlatformChanges,
  PlatformBody,
  PlatformChanges,
  PlatformCreated,
  PlatformPage,
  PlatformQuery,
  PlatformRecord,
  readPlatform,
} from './store.js';

/** The operator's operations on platforms and their keys (RULES K9). */
export function platformRoutes(deps: PlatformDeps): RouteTable {
  const forOperator = { access: operator, tag: 'Operator' };
  const onPlatform = { ...forOperator, params: platformPath, errors: ['NOT_FOUND'] as const };
  return {
    'GET /admin/platforms': route({
      operationId: 'adminListPlatforms',
      ...forOperator,
      query: PlatformQuery,
      answers: { 200: PlatformPage },
      handle: async ({ query }) => ok(await listPlatforms(deps.db, query)),
    }),
    'POST /admin/platforms': route({
      operationId: 'adminCreatePlatform',
      ...forOperator,
      idempotent: true,
      body: PlatformBody,
      answers: { 201: PlatformCreated },
      errors: ['CONFLICT'],
      handle: ({ caller, body, claim }) => createPlatform(deps, caller, body, claim),
    }),
    'GET /admin/platforms/{id}': route({
      operationId: 'adminReadPlatform',
      ...onPlatform,
      answers: { 200: PlatformRecord },
      handle: async ({ params }) => ok(await readPlatform(deps.db, params.id)),
    }),
    'PATCH /admin/platforms/{id}': route({
      operationId: 'adminUpdatePlatform',
      ...onPlatform,
      body: PlatformChanges,
      answers: { 200: PlatformRecord },
      handle: async ({ caller, params, body }) => ok(await updatePlatform(deps, caller, params.id, body)),
    }),
    'GET /admin/platforms/{id}/keys': route({
      operationId: 'adminListKeys',
      ...onPlatform,
      answers: { 200: KeyList },
      handle: async ({ params }) => ok({ keys: await listKeys(deps, params.id) }),
    }),
    'POST /admin/platforms/{id}/keys': route({
      operationId: 'adminCreateKey',
      ...onPlatform,
      idempotent: true,
      body: KeyBody,
      bodyOptional: true,
      answers: { 201: KeyMinted },
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: ({ caller, params, body, claim }) => mintKey(deps, caller, params.id, body, claim),
    }),
    'PATCH /admin/platforms/{id}/keys/{keyId}': route({
      operationId: 'adminUpdateKey',
      ...onPlatform,
      params: platformKeyPath,
      body: ScopesBody,
      answers: { 200: KeyRecord },
      handle: async ({ caller, params, body }) =>
        ok(await changeScopes(deps, caller, params.id, params.keyId, body.scopes)),
    }),
    'POST /admin/platforms/{id}/keys/{keyId}/rotate': route({
      operationId: 'adminRotateKey',
      ...onPlatform,
      params: platformKeyPath,
      idempotent: true,
      body: RotationBody,
      bodyOptional: true,
      answers: { 201: KeyRotated },
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: ({ caller, params, body, claim }) =>
        rotateKey(deps, caller, params.id, params.keyId, body, claim),
    }),
  };
}

/** A platform's operations on itself and its keys. */
export function ownPlatformRoutes(deps: PlatformDeps): RouteTable {
  const administration = { access: keyFor('admin'), tag: 'Platform' };
  return {
    'GET /platform': route({
      operationId: 'readPlatform',
      ...administration,
      answers: { 200: OwnPlatform },
      handle: async ({ caller }) => ok(await readOwnPlatform(deps, caller)),
    }),
    'PATCH /platform': route({
      operationId: 'updateSettings',
      ...administration,
      body: OwnPlatformChanges,
      answers: { 200: OwnPlatform },
      errors: ['TEST_MODE_NOT_ALLOWED'],
      handle: async ({ caller, body }) => ok(await updateOwnPlatform(deps, caller, body)),
    }),
    'GET /platform/keys': route({
      operationId: 'listKeys',
      ...administration,
      answers: { 200: KeyList },
      handle: async ({ caller }) => ok({ keys: await listOwnKeys(deps, caller) }),
    }),
    'POST /platform/keys': route({
      operationId: 'createKey',
      ...administration,
      idempotent: true,
      body: OwnKeyBody,
      bodyOptional: true,
      answers: { 201: KeyMinted },
      errors: ['SCOPE_CEILING_EXCEEDED', 'TEST_MODE_NOT_ALLOWED', 'FORBIDDEN', 'CONFLICT'],
      handle: ({ caller, body, claim }) => mintOwnKey(deps, caller, body, claim),
    }),
    'POST /platform/keys/{keyId}/rotate': route({
      operationId: 'rotateKey',
      ...administration,
      idempotent: true,
      params: ownKeyPath,
      body: RotationBody,
      bodyOptional: true,
      answers: { 201: KeyRotated },
      errors: ['NOT_FOUND', 'SCOPE_CEILING_EXCEEDED', 'FORBIDDEN', 'CONFLICT'],
      handle: ({ caller, params, body, claim }) => rotateOwnKey(deps, caller, params.keyId, body, claim),
    }),
    'DELETE /platform/keys/{keyId}': route({
      operationId: 'revokeKey',
      ...administration,
      params: ownKeyPath,
      query: RevokeQuery,
      answers: { 200: KeyRevoked },
      errors: ['NOT_FOUND'],
      handle: async ({ caller, params, query }) =>
        ok(await revokeOwnKey(deps, caller, params.keyId, query.cascade)),
    }),
  };
}
