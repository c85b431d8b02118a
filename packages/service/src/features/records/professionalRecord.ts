import { z } from 'zod';
import { fail } from '#domain/errors.js';
import { userPath } from '#domain/externalId.js';
import { scoreFields } from '#domain/scoreFields.js';
import { tenureFields } from '#domain/tenure.js';
import type { Queryable } from '#kit/db/database.js';
import { ok } from '#kit/http/answer.js';
import { keyFor, type RouteTable, route } from '#kit/http/route.js';
import {
  answerWithCredential,
  type CredentialDeps,
  CredentialQuery,
  issuedFields,
} from '#ledger/issuing/answerWithCredential.js';
import { type Attested, type ClaimSource, ISSUER_NAME } from '#ledger/issuing/issuer.js';
import type { ShareToken } from '#ledger/issuing/shareTokens.js';
import { subjectOf } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { loadProfessionalRecord } from './professionalFigures.js';

const count = z.int().min(0);
const { finalScore, scoreBand, confidence, formulaVersion, computedAt } = scoreFields;

const recordFields = {
  finalScore: finalScore.nullable(),
  scoreBand: scoreBand.nullable(),
  confidence: confidence.nullable(),
  frozen: z.boolean(),
  verifiedOutcomes: count.nullable(),
  verifiedByClass: z
    .object({
      positive: count,
      breach: count,
      contested: count,
    })
    .nullable(),
  totalOutcomes: count.nullable(),
  verificationDepth: z.number().min(0).max(1).nullable(),
  verifiedPlatforms: count.nullable(),
  tenure: z
    .object({
      firstOutcomeOn: z.iso.date(),
      lastOutcomeOn: z.iso.date(),
      days: count,
    })
    .nullable(),
  registeredAt: tenureFields.registeredAt,
  formulaVersion: formulaVersion.nullable(),
  computedAt: computedAt.nullable(),
  professionalRecordVersion: z.string(),
};

/** For anonymous callers: it does not identify the subject. */
export const SharedProfessionalRecord = z.object(recordFields);

const ProfessionalRecordAnswer = z
  .object({
    userId: z.string(),
    ...recordFields,
  })
  .meta({ id: 'ProfessionalRecord' });

const ProfessionalRecordCredential = z
  .object({
    ...issuedFields,
    type: z.literal('ServiceProfessionalRecordCredential'),
    linkedin: z.object({
      addToProfileUrl: z.url(),
      name: z.string(),
      organizationName: z.string(),
      issueYear: z.int().min(0),
      issueMonth: z.int().min(1).max(12),
      certUrl: z.url(),
      certId: z.string(),
    }),
  })
  .meta({ id: 'ProfessionalRecordCredential' });

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

const type = 'ServiceProfessionalRecordCredential';

/** For wallets. */
export const professionalRecordClaims: ClaimSource = {
  type,
  title: 'Professional record',
  attest: attestProfessionalRecord,
};

/** The content of a professional record credential. Throws USER_NOT_FOUND. */
async function attestProfessionalRecord(
  db: Queryable,
  subjectId: string,
  now: Date,
): Promise<Attested<typeof type>> {
  const record = await loadProfessionalRecord(db, subjectId);
  if (!record) return fail('USER_NOT_FOUND');
  const { formulaVersion, computedAt } = record;
  return { type, record, asOf: computedAt ?? now, ...(formulaVersion !== null && { formulaVersion }) };
}

/**
 * The profile that a share token shows if its subject agrees (RULES C3): the professional record.
 */
export function professionalProfile(db: Queryable) {
  return {
    schema: SharedProfessionalRecord,
    read: (subjectId: string) => loadProfessionalRecord(db, subjectId),
  };
}

const ADD_TO_PROFILE = 'https://www.linkedin.com/profile/add';

/**
 * The fields of LinkedIn's form for a certification (RULES C11). It has no expiry date, because the
 * link leads to the page of the share token. That page shows the current record, and nothing after
 * a withdrawal.
 */
function linkedInEntry({ token, verifyUrl }: Pick<ShareToken, 'token' | 'verifyUrl'>, now: Date) {
  const entry = {
    name: 'Verified professional record',
    organizationName: ISSUER_NAME,
    issueYear: now.getUTCFullYear(),
    issueMonth: now.getUTCMonth() + 1,
    certUrl: verifyUrl,
    certId: token,
  };
  const fields = Object.entries({ startTask: 'CERTIFICATION_NAME', ...entry });
  // URLSearchParams writes a space as a plus, which LinkedIn would show.
  const query = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return { addToProfileUrl: `${ADD_TO_PROFILE}?${query}`, ...entry };
}
