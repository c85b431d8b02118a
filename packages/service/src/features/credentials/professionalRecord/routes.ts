import { userPath } from '../../../domain/externalId.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { CredentialQuery } from '../issuing/credentialSchemas.js';
import type { ProfessionalRecordDeps } from './deps.js';
import { issueProfessionalRecordCredential } from './issueProfessionalRecordCredential.js';
import { readProfessionalRecord } from './readProfessionalRecord.js';
import { ProfessionalRecordAnswer, ProfessionalRecordCredentialIssued } from './schemas.js';

/** A record in the figures that a person takes along. */
export function professionalRecordRoutes(deps: ProfessionalRecordDeps): RouteTable {
  const ofSubject = { access: keyFor('scores'), tag: 'Records', params: userPath };
  return {
    'GET /users/{id}/professional-record': route({
      operationId: 'readProfessionalRecord',
      ...ofSubject,
      summary: 'Read the professional record',
      description:
        'Score, confirmed outcomes, breadth and tenure of the whole record. It moves no score and names no platform.',
      answers: { 200: ProfessionalRecordAnswer },
      errors: ['USER_NOT_FOUND'],
      handle: (context) => readProfessionalRecord(deps, context),
    }),
    'POST /users/{id}/professional-record/credential': route({
      operationId: 'issueProfessionalRecordCredential',
      ...ofSubject,
      summary: 'Issue a professional record credential',
      description:
        'A signed W3C credential, and what adds it to a LinkedIn profile. It is under the share token of the subject, minted where it ' +
        'has none: withdrawn, the credential counts as revoked. Live subjects only.',
      idempotent: true,
      query: CredentialQuery,
      answers: { 201: ProfessionalRecordCredentialIssued },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle: (context) => issueProfessionalRecordCredential(deps, context),
    }),
  };
}
