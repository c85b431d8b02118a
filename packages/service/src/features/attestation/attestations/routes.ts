import { z } from 'zod';
import { ok } from '#kit/http/answer.js';
import { looseItems } from '#kit/http/openapiSchemas.js';
import { pathText } from '#kit/http/query.js';
import { anyKey, anyKeyToAsk, everyone, type RouteTable, route } from '#kit/http/route.js';
import { groupOfToken } from '#kit/ids.js';
import {
  AnswerQuery,
  answerIn,
  attestationStatus,
  decisionField,
  paging,
  tokenField,
} from './attestation.js';
import { cancelAttestation } from './endAttestations.js';
import type { AttestationDeps, AttestationKind, KindTypes } from './kind.js';
import { answererOf, previewAttestation, respondToAttestation } from './respond.js';
import { listAttestations, readAttestation } from './store.js';

interface Shapes<K extends KindTypes> {
  /** In operation ids, tag and schemas: `listConfirmations`. */
  readonly noun: 'Confirmation' | 'Reference';
  readonly response: z.ZodObject & z.ZodType<K['response']>;
  readonly filters: z.ZodRawShape;
  /** What the preview shows of the outcome or the claim. */
  readonly question: z.ZodRawShape;
  /** The id of the schema of an answer to `respond`. */
  readonly answeredId: string;
}

const params = z.object({ id: pathText() });
const token = tokenField();

/** What a platform and a counterparty do with requests of either kind once they exist. */
export function attestationRoutes<K extends KindTypes>(
  deps: AttestationDeps,
  kind: AttestationKind<K>,
  { noun, response, filters, question, answeredId }: Shapes<K>,
): RouteTable {
  const { path, errors, recordedId } = kind;
  const list = path.slice(1);
  const tag = `${noun}s`;
  const own = { access: anyKey, tag };
  /** The token is the permission: there is no key. */
  const withToken = { access: everyone, tag, params };
  return {
    [`GET ${path}`]: route({
      operationId: `list${noun}s`,
      ...own,
      query: z.object({ ...filters, ...paging }),
      answers: {
        200: z
          .object({ [list]: z.array<z.ZodType>(response), nextCursor: z.string().nullable() })
          .meta({ id: `${noun}Page` }),
      },
      async handle({ owner, query }) {
        const { page, nextCursor } = await listAttestations(deps.db, kind, owner, query, deps.clock.now());
        return ok({ [list]: page, nextCursor });
      },
    }),
    [`GET ${path}/{id}`]: route({
      operationId: `read${noun}`,
      ...own,
      params,
      answers: { 200: response },
      errors: ['NOT_FOUND'],
      handle: async ({ owner, params: { id } }) =>
        ok(await readAttestation(deps.db, kind, owner, id, deps.clock.now())),
    }),
    [`POST ${path}/{id}/cancel`]: route({
      operationId: `cancel${noun}`,
      ...own,
      access: anyKeyToAsk,
      params,
      answers: { 200: response },
      errors: ['NOT_FOUND', errors.state],
      handle: async ({ owner, params: { id } }) => ok(await cancelAttestation(deps, kind, owner, id)),
    }),
    [`GET ${path}/{id}/preview`]: route({
      operationId: `preview${noun}`,
      ...withToken,
      query: z.object({ token }),
      groupOf: ({ query }) => groupOfToken(query.token),
      queryError: () => errors.token,
      answers: {
        200: z
          .object({
            ...{ id: z.uuid(), status: attestationStatus, platformName: z.string(), userId: z.string() },
            ...question,
            expiresAt: response.shape.expiresAt as z.ZodType,
          })
          .meta({ id: `${noun}Preview` }),
      },
      errors: [errors.token, 'CONFLICT'],
      handle: async ({ params: { id }, query }) =>
        ok((await previewAttestation(deps, kind, id, query.token)).preview),
    }),
    [`POST ${path}/{id}/respond`]: route({
      operationId: `respondTo${noun}`,
      ...withToken,
      query: AnswerQuery,
      // Parsed by the handler, which checks the token first (RULES A5).
      body: looseItems(z.object({ token, decision: decisionField }).meta({ id: `${noun}Answer` })),
      groupOf: ({ body, query }) => groupOfToken(answerIn(body, query).token),
      itemsStandAlone: true,
      answers: {
        200: z
          .object({ status: z.enum(['CONFIRMED', 'DECLINED']), [recordedId]: z.uuid().optional() })
          .meta({ id: answeredId }),
      },
      errors: [errors.token, errors.state, errors.self, 'CONFLICT'],
      handle: async ({ params: { id }, query, body, ...sent }) =>
        ok(await respondToAttestation(deps, kind, id, answerIn(body, query), answererOf(sent, 'api'))),
    }),
  };
}
