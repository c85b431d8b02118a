import { z } from 'zod';
import { subjectTypes } from '#domain/catalogues/enums.js';
import { fail } from '#domain/errors.js';
import { businessFields, deliveryFields } from '#domain/outcomeRecordFields.js';
import type { SerializedAnswer } from '#kit/http/answer.js';
import { etagOf, fixedText } from '#kit/http/fixedDocument.js';
import {
  byShareToken,
  everyone,
  type PublicAccess,
  type RequestContext,
  type RouteTable,
  route,
} from '#kit/http/route.js';
import { CredentialQuery } from '#ledger/issuing/answerWithCredential.js';
import type { ServiceCredentialType } from '#ledger/issuing/forms.js';
import type { ClaimSource, CredentialSigner, Issuer } from '#ledger/issuing/issuer.js';
import { lifetimeOf } from '#ledger/issuing/lifetime.js';
import type { LoadInclusion } from '#ledger/log/inclusion.js';
import type { LoadOutcomes, SubjectOutcomes } from '#ledger/profile/outcomeRecords.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { REVALIDATE, sharePath } from './readShared.js';
import { createResponseCache, type NamedText } from './responseCache.js';
import { createMarkFinder } from './sharedMarks.js';
import type { LoadShared } from './sharedRecords.js';

/** A shared record with its subject type and a credential of the same content. */
function sharedRecord<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object({
    token: z.string(),
    subjectType: z.enum(subjectTypes),
    record: z.object(fields),
    asOf: z.iso.datetime(),
    credential: z.string(),
    type: z.string(),
    expiresAt: z.iso.datetime(),
    verifyUrl: z.url(),
  });
}

const SharedDeliveries = sharedRecord(deliveryFields).meta({ id: 'DeliveryReceipts' });

const SharedBusiness = sharedRecord(businessFields).meta({ id: 'SharedBusinessRecord' });

/** Records behind a share token besides the score, each with a credential. */
export function sharedRecordRoutes(deps: SharedRecordDeps): RouteTable {
  const read = createSharedRecordReader(deps);
  const common = {
    access: everyone,
    tag: 'Verification',
    params: sharePath,
    groupOf: byShareToken,
    query: CredentialQuery,
    errors: ['NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'OVERLOADED', 'SERVICE_UNAVAILABLE'] as const,
  };
  return {
    'GET /verify/{token}/delivery-receipts': route({
      operationId: 'verifyDeliveryReceipts',
      ...common,
      answers: { 200: SharedDeliveries, 304: null },
      handle: (context) => read(context, { name: 'deliveries', attest: attestDeliveries }),
    }),
    'GET /verify/{token}/business-record': route({
      operationId: 'verifyBusinessRecord',
      ...common,
      answers: { 200: SharedBusiness, 304: null },
      handle: (context) => read(context, { name: 'business', attest: attestBusiness }),
    }),
  };
}

type SharedRecordDeps = Pick<ServiceDeps, 'config' | 'db' | 'clock' | 'erased'> & {
  issuer: Issuer;
  loadShared: LoadShared;
  loadOutcomes: LoadOutcomes;
  loadInclusion: LoadInclusion;
};

type Context = RequestContext<
  PublicAccess,
  undefined,
  z.output<typeof CredentialQuery>,
  z.output<typeof sharePath>
>;

/** A read of outcomes besides the score. `attest` returns null for a subject without such a record. */
interface Attestable {
  readonly name: string;
  attest(outcomes: SubjectOutcomes): AttestedOutcomes | null;
}

/** An entry takes 2 kB: enough for ten thousand records. */
const MAX_CACHE_BYTES = 26_000_000;

/**
 * A record behind a share token, and a credential of it under that token. While the record stays the same, so does the credential
 * within its hour (`lifetimeOf`). So repeated reads get 304 by its ETag, and the credential is built and signed once for all
 * readers. Each read looks up the token and the version of the record.
 */
function createSharedRecordReader(deps: SharedRecordDeps) {
  const findMark = createMarkFinder(deps.db);
  const cache = createResponseCache(MAX_CACHE_BYTES);
  deps.erased.onErased(cache.clear);
  const pending = new Map<string, Promise<NamedText>>();

  return async (context: Context, what: Attestable): Promise<SerializedAnswer> => {
    const { token } = context.params;
    const { ttl, format } = context.query;
    const mark = await findMark(token);
    if (mark === null) return fail('NOT_FOUND', UNKNOWN_TOKEN);
    const signer = await deps.issuer.signer();
    const now = deps.clock.now();
    const key = `${token} ${what.name} ${format} ${ttl}`;
    const version = `${lifetimeOf(now, ttl).expiresAt.getTime()} ${signer.keyId} ${mark}`;
    const { text, etag } =
      cache.find(key, version) ?? (await issueOnce({ context, what, signer, now, key, version }));
    return fixedText('application/json; charset=utf-8', text, REVALIDATE, etag)(context);
  };

  function issueOnce(job: Job): Promise<NamedText> {
    const { key, version } = job;
    const id = `${key} ${version}`;
    const issuing = pending.get(id) ?? issue(job).finally(() => pending.delete(id));
    pending.set(id, issuing);
    return issuing;
  }

  /** The data read here can be newer than the version. Then the next read sees another version. */
  async function issue({ context, what, signer, now, key, version }: Job): Promise<NamedText> {
    const { token } = context.params;
    const shared = await deps.loadShared(token);
    const outcomes = shared && (await deps.loadOutcomes(shared.subjectId));
    // Test subjects have no share tokens. If one ever had, its data must not be attested (RULES T2).
    if (outcomes && !outcomes.livemode) return fail('TEST_MODE_NOT_ALLOWED');
    const attested = outcomes && what.attest(outcomes);
    if (!shared || !attested) return fail('NOT_FOUND', UNKNOWN_TOKEN);
    const verifyUrl = `${deps.config.baseUrl}/verify/${token}`;
    const { asOf, subjectType } = outcomes;
    const inclusion = shared.score && (await deps.loadInclusion(shared.subjectId, shared.score.snapshotNo));
    const issued = await signer.issue({
      ...attested,
      form: context.query.format,
      share: { tokenId: shared.tokenId, verifyUrl, status: shared.status },
      inclusion,
      now,
      ttlSeconds: context.query.ttl,
      asOf,
    });
    const body = { token, subjectType, record: attested.record, asOf, ...issued, verifyUrl };
    const text = JSON.stringify(body);
    const named = { text, etag: etagOf(text) };
    // The next read may find it in the log.
    if (inclusion || !shared.score) cache.set(key, version, named);
    return named;
  }
}

const UNKNOWN_TOKEN = {
  message: 'The share token is unknown or withdrawn, or its subject has no such record.',
};

interface Job {
  readonly context: Context;
  readonly what: Attestable;
  readonly signer: CredentialSigner;
  readonly now: Date;
  readonly key: string;
  readonly version: string;
}

interface AttestedOutcomes {
  readonly type: ServiceCredentialType;
  readonly record: object;
}

/** The content of GET /verify/{token}/delivery-receipts. */
function attestDeliveries({ subjectType, record }: SubjectOutcomes): AttestedOutcomes {
  return {
    type: subjectType === 'AGENT' ? 'ServiceAgentDeliveryCredential' : 'ServiceDeliveryReceiptCredential',
    record: record.deliveries,
  };
}

/** The content of GET /verify/{token}/business-record. Null if the subject is not a business. */
function attestBusiness({ subjectType, record }: SubjectOutcomes): AttestedOutcomes | null {
  if (subjectType !== 'ORGANIZATION') return null;
  return { type: 'ServiceBusinessRecordCredential', record: record.business };
}

/** The same for wallets. One of the two kinds of delivery record applies to each subject. */
export function outcomeClaims(loadOutcomes: LoadOutcomes): readonly ClaimSource[] {
  const source = (
    type: ClaimSource['type'],
    title: string,
    attest: (outcomes: SubjectOutcomes) => AttestedOutcomes | null,
  ): ClaimSource => ({
    type,
    title,
    async attest(_, subjectId) {
      const outcomes = await loadOutcomes(subjectId);
      if (!outcomes) return fail('USER_NOT_FOUND');
      const attested = attest(outcomes);
      return attested?.type === type ? { ...attested, asOf: outcomes.asOf } : null;
    },
  });
  return [
    source('ServiceDeliveryReceiptCredential', 'Delivery receipts', attestDeliveries),
    source('ServiceAgentDeliveryCredential', 'Deliveries of an agent', attestDeliveries),
    source('ServiceBusinessRecordCredential', 'Business record', attestBusiness),
  ];
}
