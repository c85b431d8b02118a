import { z } from 'zod';
import { userPath } from '#domain/externalId.js';
import { ok } from '#kit/http/answer.js';
import { pathText } from '#kit/http/query.js';
import { keyFor, type RouteTable, route } from '#kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { analyzeDocuments, DocumentAdvice, DocumentsBody } from './documents.js';
import { DisputeProjection, projectDispute } from './projectDispute.js';
import { ProjectionAnswer, ProjectionBody, projectEvents } from './projection.js';
import { readTimeline } from './readTimeline.js';
import {
  Contributions,
  Dispatch,
  DispatchQuery,
  listPlatforms,
  readReliability,
  Timeline,
  TimelineQuery,
} from './reliability.js';

/** Reads of one subject's record, beside its score. Nothing here writes. */
export function recordRoutes(deps: Pick<ServiceDeps, 'db' | 'clock'>): RouteTable {
  const aboutOneUser = { tag: 'Records', params: userPath };
  const readsOneUser = { ...aboutOneUser, access: keyFor('scores'), errors: ['USER_NOT_FOUND'] as const };
  return {
    'GET /users/{id}/reliability': route({
      operationId: 'readReliability',
      ...readsOneUser,
      query: DispatchQuery,
      queryError: (path) => (path === 'context' ? 'DISPATCH_CONTEXT_INVALID' : 'VALIDATION_ERROR'),
      answers: { 200: Dispatch },
      errors: ['USER_NOT_FOUND', 'DISPATCH_CONTEXT_INVALID'],
      handle: async ({ owner, params }) => ok(await readReliability(deps, owner, params.id)),
    }),
    'GET /users/{id}/timeline': route({
      operationId: 'listTimeline',
      ...readsOneUser,
      query: TimelineQuery,
      answers: { 200: Timeline },
      handle: async ({ owner, params, query }) => ok(await readTimeline(deps.db, owner, params.id, query)),
    }),
    'GET /users/{id}/platforms': route({
      operationId: 'listContributingPlatforms',
      ...readsOneUser,
      answers: { 200: Contributions },
      handle: async ({ owner, params }) => ok(await listPlatforms(deps.db, owner, params.id)),
    }),
    'POST /users/{id}/score/project': route({
      operationId: 'projectScore',
      ...aboutOneUser,
      access: keyFor('scores', 'read'),
      body: ProjectionBody,
      answers: { 200: ProjectionAnswer },
      handle: async ({ caller, params, body }) => ok(await projectEvents(deps, caller, params.id, body)),
    }),
    'GET /disputes/{id}/projection': route({
      operationId: 'projectDispute',
      access: keyFor('scores'),
      tag: 'Disputes',
      params: z.object({ id: pathText() }),
      answers: { 200: DisputeProjection },
      errors: ['NOT_FOUND', 'SUBJECT_ERASED'],
      handle: async ({ owner, params }) => ok(await projectDispute(deps, owner, params.id)),
    }),
    'POST /users/{id}/documents/analyze': route({
      operationId: 'analyzeDocuments',
      ...aboutOneUser,
      access: keyFor('scores', 'either'),
      body: DocumentsBody,
      answers: { 200: DocumentAdvice },
      handle: async ({ caller, params, body }) => ok(await analyzeDocuments(deps, caller, params.id, body)),
    }),
  };
}
