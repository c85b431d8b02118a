import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { SerializedAnswer } from '../../../kit/http/answer.js';
import { etagOf, fixedText } from '../../../kit/http/fixedDocument.js';
import type { PublicAccess, RequestContext } from '../../../kit/http/route.js';
import type { CredentialQuery } from '../../../ledger/issuing/credentialSchemas.js';
import type { CredentialSigner, Issuer } from '../../../ledger/issuing/issuer.js';
import { lifetimeOf } from '../../../ledger/issuing/lifetime.js';
import type { LoadInclusion } from '../../../ledger/log/inclusion.js';
import type { LoadOutcomes, SubjectOutcomes } from '../../../ledger/profile/outcomeRecords.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { AttestedOutcomes } from './outcomeClaims.js';
import { REVALIDATE } from './readShared.js';
import { createResponseCache, type NamedText } from './responseCache.js';
import type { sharePath } from './schemas.js';
import { createMarkFinder } from './sharedMarks.js';
import type { LoadShared } from './sharedRecords.js';

export type SharedRecordDeps = Pick<ServiceDeps, 'config' | 'db' | 'clock' | 'erased'> & {
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
export interface Attestable {
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
export function createSharedRecordReader(deps: SharedRecordDeps) {
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
