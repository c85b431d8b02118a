import { operator, type RouteTable, route } from '../../../kit/http/route.js';
import { platformPath } from '../../../ledger/requests/knownPlatform.js';
import { changeScopes } from './changeScopes.js';
import { createPlatform } from './createPlatform.js';
import type { PlatformDeps } from './deps.js';
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
import { listKeys } from './listKeys.js';
import { listPlatforms } from './listPlatforms.js';
import { mintKey } from './mintKey.js';
import { readPlatform } from './readPlatform.js';
import { rotateKey } from './rotateKey.js';
import {
  PlatformBody,
  PlatformChanges,
  PlatformCreated,
  PlatformPage,
  PlatformQuery,
  PlatformRecord,
} from './schemas.js';
import { updatePlatform } from './updatePlatform.js';

/** The operator's hand on platforms and their keys (RULES K9). */
export function platformRoutes(deps: PlatformDeps): RouteTable {
  const forOperator = { access: operator, tag: 'Operator' };
  const onPlatform = { ...forOperator, params: platformPath, errors: ['NOT_FOUND'] as const };
  return {
    'GET /admin/platforms': route({
      operationId: 'adminListPlatforms',
      ...forOperator,
      summary: 'List the platforms of this installation',
      description:
        'Every platform with its trust tier, plan, limits and whether it may call, newest first. Keys are at ' +
        '`/admin/platforms/{id}/keys` and are never shown in plain text.',
      query: PlatformQuery,
      answers: { 200: PlatformPage },
      handle: (context) => listPlatforms(deps, context),
    }),
    'POST /admin/platforms': route({
      operationId: 'adminCreatePlatform',
      ...forOperator,
      summary: 'Create a platform with its first keys',
      description:
        'Answers with one live and one test key, both with full access. They are shown this once: only their hashes are kept.',
      idempotent: true,
      body: PlatformBody,
      answers: { 201: PlatformCreated },
      errors: ['CONFLICT'],
      handle: (context) => createPlatform(deps, context),
    }),
    'GET /admin/platforms/{id}': route({
      operationId: 'adminReadPlatform',
      ...onPlatform,
      summary: 'Read a platform',
      description:
        'Its trust tier, plan, limits and whether it may call. Read it before a change: fields that a PATCH ' +
        'leaves out stay as they are.',
      answers: { 200: PlatformRecord },
      handle: (context) => readPlatform(deps, context),
    }),
    'PATCH /admin/platforms/{id}': route({
      operationId: 'adminUpdatePlatform',
      ...onPlatform,
      summary: 'Change a platform',
      description:
        'Trust tier, plan, limits, and whether it may call at all. Fields left out stay as they are. A new trust tier ' +
        'holds for events reported from now on: the ledger keeps the tier each event was reported under.',
      body: PlatformChanges,
      answers: { 200: PlatformRecord },
      handle: (context) => updatePlatform(deps, context),
    }),
    'GET /admin/platforms/{id}/keys': route({
      operationId: 'adminListKeys',
      ...onPlatform,
      summary: "List a platform's keys",
      description:
        'What is known of each live and test key, revoked ones included: label, scopes, end and last use. Never ' +
        'the key itself, which is shown once when it is made.',
      answers: { 200: KeyList },
      handle: (context) => listKeys(deps, context),
    }),
    'POST /admin/platforms/{id}/keys': route({
      operationId: 'adminCreateKey',
      ...onPlatform,
      summary: 'Mint a key for a platform',
      description: 'For a platform that has lost or revoked its last one. The key is shown this once.',
      idempotent: true,
      body: KeyBody,
      bodyOptional: true,
      answers: { 201: KeyMinted },
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: (context) => mintKey(deps, context),
    }),
    'PATCH /admin/platforms/{id}/keys/{keyId}': route({
      operationId: 'adminUpdateKey',
      ...onPlatform,
      params: platformKeyPath,
      summary: 'Change what a key may do',
      description:
        'Replaces its scopes. The key itself, its mode, label and end stay, so whoever holds it has nothing to change.',
      body: ScopesBody,
      answers: { 200: KeyRecord },
      handle: (context) => changeScopes(deps, context),
    }),
    'POST /admin/platforms/{id}/keys/{keyId}/rotate': route({
      operationId: 'adminRotateKey',
      ...onPlatform,
      params: platformKeyPath,
      summary: 'Replace a key of a platform',
      description: 'A new key takes over with the same label, scopes, mode and end. It is shown this once.',
      idempotent: true,
      body: RotationBody,
      bodyOptional: true,
      answers: { 201: KeyRotated },
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: (context) => rotateKey(deps, context),
    }),
  };
}
