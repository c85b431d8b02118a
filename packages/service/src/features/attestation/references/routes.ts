import { ok } from '../../../kit/http/answer.js';
import { anyKey, anyKeyToAsk, everyone, type RouteTable, route } from '../../../kit/http/route.js';
import { answererOf } from '../attestations/answerEvidence.js';
import { answerIn } from '../attestations/attestation.js';
import { cancelReference } from './cancelReference.js';
import { createReference } from './createReference.js';
import type { ReferenceDeps } from './deps.js';
import { listReferences } from './listReferences.js';
import { previewReference } from './previewReference.js';
import { readReference } from './readReference.js';
import { respondToReference } from './respondToReference.js';
import {
  ReferenceAnswerBody,
  ReferenceAnswered,
  ReferenceBody,
  ReferenceCreated,
  ReferencePage,
  ReferencePreviewed,
  ReferenceQuery,
  ReferenceRecord,
  referencePath,
  TokenQuery,
} from './schemas.js';

/** References (RULES A1): as confirmations, but for a qualification, which never moves a score. */
export function referenceRoutes(deps: ReferenceDeps): RouteTable {
  return { ...platformRoutes(deps), ...counterpartyRoutes(deps) };
}

function platformRoutes(deps: ReferenceDeps): RouteTable {
  const own = { access: anyKey, tag: 'References' };
  return {
    'POST /references': route({
      operationId: 'createReference',
      ...own,
      access: anyKeyToAsk,
      summary: 'Ask another party to confirm a qualification',
      description:
        'About a subject that has an outcome or is registered. Any valid key may, unless the platform has set ' +
        '`confirmationsRequireWrite`. The service contacts nobody: hand `referenceUrl` to the counterparty over a channel of your own. The ' +
        'token is shown this once. Confirmed, the claim becomes a verified qualification; the score is not touched. Left out, ' +
        'the window is that of confirmations, 14 days unless the operator set another.',
      writesLedger: true,
      idempotent: true,
      body: ReferenceBody,
      answers: { 201: ReferenceCreated },
      errors: ['REFERENCE_SELF', 'RESERVED_EXTERNAL_ID', 'USER_NOT_FOUND', 'CONFLICT'],
      handle: (context) => createReference(deps, context),
    }),
    'GET /references': route({
      operationId: 'listReferences',
      ...own,
      summary: 'List references',
      description:
        'Those of your platform in the mode of the key, newest first. Filter by `status` or `userId`. Tokens are ' +
        'never shown again. No scope needed.',
      query: ReferenceQuery,
      answers: { 200: ReferencePage },
      handle: (context) => listReferences(deps, context),
    }),
    'GET /references/{id}': route({
      operationId: 'readReference',
      ...own,
      summary: 'Read a reference',
      description:
        'Its state, what was claimed and, once confirmed, the qualification that was recorded. The token is never ' +
        'shown again. No scope needed.',
      params: referencePath,
      answers: { 200: ReferenceRecord },
      errors: ['NOT_FOUND'],
      handle: (context) => readReference(deps, context),
    }),
    'POST /references/{id}/cancel': route({
      operationId: 'cancelReference',
      ...own,
      access: anyKeyToAsk,
      summary: 'Take a reference back',
      description: 'As long as nobody has answered it. Its token then opens the preview alone.',
      params: referencePath,
      answers: { 200: ReferenceRecord },
      errors: ['NOT_FOUND', 'REFERENCE_NOT_PENDING'],
      handle: (context) => cancelReference(deps, context),
    }),
  };
}

/** For who has the token: it is the capability itself, and there is no key. */
function counterpartyRoutes({ db, clock, ids }: ReferenceDeps): RouteTable {
  const asked = { access: everyone, tag: 'References', params: referencePath };
  return {
    'GET /references/{id}/preview': route({
      operationId: 'previewReference',
      ...asked,
      summary: 'What the counterparty is asked to vouch for',
      description: 'Works in every state. A wrong token and an unknown id are refused alike.',
      query: TokenQuery,
      queryError: () => 'REFERENCE_TOKEN_INVALID',
      answers: { 200: ReferencePreviewed },
      errors: ['REFERENCE_TOKEN_INVALID'],
      handle: async ({ params, query }) => {
        const { preview } = await previewReference(db, { ...params, token: query.token, now: clock.now() });
        return ok(preview);
      },
    }),
    'POST /references/{id}/respond': route({
      operationId: 'respondToReference',
      ...asked,
      summary: 'Confirm or decline as the counterparty',
      description:
        'Of several answers at one instant exactly one counts. The token is looked at first: a wrong one is 401 in whatever state ' +
        'the reference is. A decline is no evidence and records nothing.',
      writesLedger: true,
      body: ReferenceAnswerBody,
      itemsStandAlone: true,
      answers: { 200: ReferenceAnswered },
      errors: ['REFERENCE_TOKEN_INVALID', 'REFERENCE_NOT_PENDING', 'REFERENCE_SELF'],
      handle: async ({ params, body, ...sent }) => {
        const answer = { ...answerIn(body), id: params.id, answerer: answererOf(sent, 'api') };
        return ok(await respondToReference({ db, ids }, { ...answer, now: clock.now() }));
      },
    }),
  };
}
