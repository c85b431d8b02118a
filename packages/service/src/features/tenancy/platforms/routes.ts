import { ok } from '../../../kit/http/answer.js';
import { operator, type RouteTable, route } from '../../../kit/http/route.js';
import { platformPath } from '../../../ledger/requests/addressedSubject.js';
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
      handle: ({ body, claim }) => createPlatform(deps, body, claim),
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
      handle: async ({ params, body }) => ok(await updatePlatform(deps, params.id, body)),
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
      handle: ({ params, body, claim }) => mintKey(deps, params.id, body, claim),
    }),
    'PATCH /admin/platforms/{id}/keys/{keyId}': route({
      operationId: 'adminUpdateKey',
      ...onPlatform,
      params: platformKeyPath,
      body: ScopesBody,
      answers: { 200: KeyRecord },
      handle: async ({ params, body }) => ok(await changeScopes(deps, params.id, params.keyId, body.scopes)),
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
      handle: ({ params, body, claim }) => rotateKey(deps, params.id, params.keyId, body, claim),
    }),
  };
}
