import { userPath } from '../../../domain/externalId.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { type CareerDeps, exportCareer } from './exportCareer.js';
import { CareerQuery, LinkedCareer, ResumeCareer } from './schemas.js';

/** A career in forms that other programs read. */
export function careerRoutes(deps: CareerDeps): RouteTable {
  return {
    'GET /users/{id}/career-export': route({
      operationId: 'exportCareer',
      access: keyFor('scores'),
      tag: 'Profile',
      summary: "Export a person's career",
      description:
        'Your own entries of qualifications and projects, each marked as verified or self-reported, with the score, as a file: JSON ' +
        'Resume v1.0.0, or schema.org as JSON-LD. The service knows no names, so `basics` is yours to fill in; nor does the file say ' +
        'who confirmed an entry. A link to check the score is in it where the subject has a share token. Live subjects only.',
      params: userPath,
      query: CareerQuery,
      queryError: () => 'CAREER_FORMAT_INVALID',
      answers: {
        200: { json: ResumeCareer, media: [{ type: 'application/ld+json', schema: LinkedCareer }] },
      },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CAREER_FORMAT_INVALID'],
      handle: (context) => exportCareer(deps, context),
    }),
  };
}
