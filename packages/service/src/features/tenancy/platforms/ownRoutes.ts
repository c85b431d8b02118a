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
      summary: 'Read the platform and the key in use',
      description:
        'The platform, its plan and trust tier, and the mode and scopes of the key in use. Use it to check that a key works. ' +
        'After a smaller plan `overLimits` says what exceeds it: that stays, and nothing is added.',
      answers: { 200: OwnPlatform },
      handle: async ({ caller }) => ok(await readOwnPlatform(deps, caller)),
    }),
    'PATCH /platform': route({
      operationId: 'updateSettings',
      ...administration,
      summary: 'Change settings of the platform',
      description:
        'Fields left out keep their value. Tier, plan and limits are set by the operator. A test key cannot change settings.',
      body: OwnPlatformChanges,
      answers: { 200: OwnPlatform },
      errors: ['TEST_MODE_NOT_ALLOWED'],
      handle: async ({ caller, body }) => ok(await updateOwnPlatform(deps, caller, body)),
    }),
    'GET /platform/keys': route({
      operationId: 'listKeys',
      ...administration,
      summary: "List the platform's keys",
      description: 'All keys without their secrets. A test key sees test keys only.',
      answers: { 200: KeyList },
      handle: async ({ caller }) => ok({ keys: await listOwnKeys(deps, caller) }),
    }),
    'POST /platform/keys': route({
      operationId: 'createKey',
      ...administration,
      summary: 'Mint a key',
      description:
        'A key can grant at most its own scopes, networks and life. A key that was rotated cannot create keys (403 FORBIDDEN). ' +
        'The new key is shown only once: the service stores its hash.',
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
      summary: 'Replace a key',
      description:
        'Creates a new key with the same label, scopes, mode and expiry, and shows it only once. The old key works until the end of ' +
        'the grace period, but never longer than before. A revoked or expired key cannot be replaced (400).',
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
      summary: 'Revoke a key',
      description:
        'The key is refused from the next request on, even if it is the key in use. Keys that were created with it keep working ' +
        'unless `cascade=true` is given.',
      params: ownKeyPath,
      query: RevokeQuery,
      answers: { 200: KeyRevoked },
      errors: ['NOT_FOUND'],
      handle: async ({ caller, params, query }) =>
        ok(await revokeOwnKey(deps, caller, params.keyId, query.cascade)),
    }),
  };
}
