import { fail } from '../../../domain/errors.js';
import { userPath } from '../../../domain/externalId.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { answerWithCredential, type CredentialDeps } from '../../../ledger/issuing/answerWithCredential.js';
import { CredentialQuery } from '../../../ledger/issuing/credentialSchemas.js';
import { subjectOf } from '../../../ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { attestProfessionalRecord, linkedInEntry } from './professionalRecordClaims.js';
import { ProfessionalRecordAnswer, ProfessionalRecordCredential } from './schemas.js';
import { loadProfessionalRecord } from './store.js';

/** A record in the figures that a person takes along. */
export function professionalRecordRoutes(deps: CredentialDeps & Pick<ServiceDeps, 'db'>): RouteTable {
  const ofSubject = { access: keyFor('scores'), tag: 'Records', params: userPath };
  return {
    'GET /users/{id}/professional-record': route({
      operationId: 'readProfessionalRecord',
      ...ofSubject,
      answers: { 200: ProfessionalRecordAnswer },
      errors: ['USER_NOT_FOUND'],
      async handle(context) {
        const record = await loadProfessionalRecord(deps.db, subjectOf(context));
        return record ? ok({ userId: context.params.id, ...record }) : fail('USER_NOT_FOUND');
      },
    }),
    'POST /users/{id}/professional-record/credential': route({
      operationId: 'issueProfessionalRecordCredential',
      ...ofSubject,
      idempotent: true,
      query: CredentialQuery,
      answers: { 201: ProfessionalRecordCredential },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle: (context) =>
        answerWithCredential(deps, context, {
          attest: attestProfessionalRecord,
          extra: (share) => ({ linkedin: linkedInEntry(share, deps.clock.now()) }),
        }),
    }),
  };
}
