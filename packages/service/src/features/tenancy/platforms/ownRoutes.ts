import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { PlatformDeps } from './deps.js';
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
import { listOwnKeys } from './listOwnKeys.js';
import { mintOwnKey } from './mintOwnKey.js';
import { readOwnPlatform } from './readOwnPlatform.js';
import { revokeOwnKey } from './revokeOwnKey.js';
import { rotateOwnKey } from './rotateOwnKey.js';
import { OwnPlatform, OwnPlatformChanges } from './schemas.js';
import { updateOwnPlatform } from './updateOwnPlatform.js';

/** What a platform does for itself: who it is, and its keys. */
export function ownPlatformRoutes(deps: PlatformDeps): RouteTable {
  const administration = { access: keyFor('admin'), tag: 'Platform' };
  return {
    'GET /platform': route({
      operationId: 'readPlatform',
      ...administration,
      summary: 'Read the platform and the key in use',
      description:
        'Who you are to the service: the platform, its plan and trust tier, the mode of the key and what its ' +
        'scopes allow. A good first call to check that a key works.',
      answers: { 200: OwnPlatform },
      handle: readOwnPlatform,
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
      handle: (context) => updateOwnPlatform(deps, context),
    }),
    'GET /platform/keys': route({
      operationId: 'listKeys',
      ...administration,
      summary: "List the platform's keys",
      description: 'What is known of each key, never the key. A test key sees test keys only.',
      answers: { 200: KeyList },
      handle: (context) => listOwnKeys(deps, context),
    }),
    'POST /platform/keys': route({
      operationId: 'createKey',
      ...administration,
      summary: 'Mint a key',
      description:
        'A key can hand out what it may do itself, and no more: in scopes, in networks, and until when. A key that was rotated ' +
        'mints none (403 FORBIDDEN). The new key is shown this once: only its hash is kept.',
      idempotent: true,
      body: OwnKeyBody,
      bodyOptional: true,
      answers: { 201: KeyMinted },
      errors: ['SCOPE_CEILING_EXCEEDED', 'TEST_MODE_NOT_ALLOWED', 'FORBIDDEN', 'CONFLICT'],
      handle: (context) => mintOwnKey(deps, context),
    }),
    'POST /platform/keys/{keyId}/rotate': route({
      operationId: 'rotateKey',
      ...administration,
      summary: 'Replace a key',
      description:
        'A new key takes over with the same label, scopes, mode and end, and is shown this once. The old one works on for ' +
        'the grace, but never longer than it would have. A key that is revoked or expired cannot be replaced (400).',
      idempotent: true,
      params: ownKeyPath,
      body: RotationBody,
      bodyOptional: true,
      answers: { 201: KeyRotated },
      errors: ['NOT_FOUND', 'SCOPE_CEILING_EXCEEDED', 'FORBIDDEN', 'CONFLICT'],
      handle: (context) => rotateOwnKey(deps, context),
    }),
    'DELETE /platform/keys/{keyId}': route({
      operationId: 'revokeKey',
      ...administration,
      summary: 'Revoke a key',
      description:
        'From the next request on it opens nothing, even if it is the key in use. Keys that were made with it work on unless ' +
        '`cascade=true` is given.',
      params: ownKeyPath,
      query: RevokeQuery,
      answers: { 200: KeyRevoked },
      errors: ['NOT_FOUND'],
      handle: (context) => revokeOwnKey(deps, context),
    }),
  };
}
