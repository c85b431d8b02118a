import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { listOwnKeys, mintOwnKey, type PlatformDeps, revokeOwnKey, rotateOwnKey } from './changeKeys.js';
import { readOwnPlatform, updateOwnPlatform } from './changePlatforms.js';
import {
  KeyList,
  KeyMinted,
  KeyRevoked,
  KeyRotated,
  OwnKeyBody,
  ownKeyPath,
  RevokeQuery,
  RotationBody,
} from './keySchemas.js';
import { OwnPlatform, OwnPlatformChanges } from './schemas.js';

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
