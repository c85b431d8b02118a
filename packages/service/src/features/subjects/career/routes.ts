import { userPath } from '#domain/externalId.js';
import { keyFor, type RouteTable, route } from '#kit/http/route.js';
import { type CareerDeps, exportCareer } from './exportCareer.js';
import {
  CareerFileBody,
  CareerImported,
  type ImportDeps,
  importCareer,
  MAX_CAREER_BYTES,
} from './importCareer.js';
import { CareerQuery, LinkedCareer, ResumeCareer } from './schemas.js';

/** A career in standard file formats, and from another installation. */
export function careerRoutes(deps: CareerDeps & ImportDeps): RouteTable {
  return {
    'GET /users/{id}/career-export': route({
      operationId: 'exportCareer',
      access: keyFor('scores'),
      tag: 'Profile',
      params: userPath,
      query: CareerQuery,
      queryError: () => 'CAREER_FORMAT_INVALID' as const,
      answers: {
        200: { json: ResumeCareer, media: [{ type: 'application/ld+json', schema: LinkedCareer }] },
      },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CAREER_FORMAT_INVALID'],
      handle: (context) => exportCareer(deps, context),
    }),
    'POST /users/{id}/career-import': route({
      operationId: 'importCareer',
      access: keyFor('scores'),
      tag: 'Profile',
      params: userPath,
      idempotent: true,
      textBody: 'application/json',
      bodyLimitBytes: MAX_CAREER_BYTES,
      body: CareerFileBody,
      answers: { 200: CareerImported },
      errors: ['USER_NOT_FOUND'],
      handle: (context) => importCareer(deps, context),
    }),
  };
}
