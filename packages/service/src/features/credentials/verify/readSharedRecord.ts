import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { Answer } from '../../../kit/http/answer.js';
import { etagOf, fixedText } from '../../../kit/http/fixedDocument.js';
import type { PublicAccess, RequestContext } from '../../../kit/http/route.js';
import type { LoadOutcomes, SubjectOutcomes } from '../../../ledger/profile/outcomeRecords.js';
import type { CredentialQuery } from '../issuing/credentialSchemas.js';
import type { CredentialSigner, Issuer } from '../issuing/issuer.js';
import { lifetimeOf } from '../issuing/lifetime.js';
import { createMarkFinder } from '../issuing/sharedMarks.js';
import type { LoadShared } from '../issuing/sharedRecords.js';
import type { ServiceCredentialType } from '../issuing/vocabulary.js';
import { ASK_EACH_TIME } from './readShared.js';
import { createResponseCache, type NamedText } from './responseCache.js';
import type { sharePath } from './schemas.js';

export interface SharedRecordDeps {
  config: { baseUrl: string };
  db: Database;
  clock: Clock;
  issuer: Issuer;
  loadShared: LoadShared;
  loadOutcomes: LoadOutcomes;
}

type Context = RequestContext<
  PublicAccess,
  undefined,
  z.output<typeof CredentialQuery>,
  z.output<typeof sharePath>
>;

interface Attested {
  readonly type: ServiceCredentialType;
  readonly record: object;
}

/** What can be read of a record besides its score; null where nothing of the kind can be said of a subject. */
export interface Attestable {
  readonly name: string;
  attest(outcomes: SubjectOutcomes): Attested | null;
}

/** What GET /verify/{token}/delivery-receipts attests. */
export function attestDeliveries({ subjectType, record }: SubjectOutcomes): Attested {
  return {
    type: subjectType === 'AGENT' ? 'ServiceAgentDeliveryCredential' : 'ServiceDeliveryReceiptCredential',
    record: record.deliveries,
  };
}

/** What GET /verify/{token}/business-record attests: nothing of whoever is no business. */
export function attestBusiness({ subjectType, record }: SubjectOutcomes): Attested | null {
  if (subjectType !== 'ORGANIZATION') return null;
  return { type: 'ServiceBusinessRecordCredential', record: record.business };
}

/** Two kilobytes each: enough for ten thousand records. */
const KEPT_BYTES = 26_000_000;

/**
 * A record behind a share token, and a credential of it under that token. What is issued stays the same within its hour for as long
 * as the record does (lifetimeOf), so the ETag spares whoever asks again; and it is counted and signed once, not for each who asks.
 * The token and the version of the record are looked up each time.
 */
export function createSharedRecordReader(deps: SharedRecordDeps) {
  const findMark = createMarkFinder(deps.db);
  const kept = createResponseCache(KEPT_BYTES);
  const underWay = new Map<string, Promise<NamedText>>();

  return async (context: Context, what: Attestable): Promise<Answer> => {
    const { token } = context.params;
    const { ttl, format } = context.query;
    const mark = await findMark(token);
    if (mark === null) return fail('NOT_FOUND', NOTHING);
    const signer = await deps.issuer.signer();
    const now = deps.clock.now();
    const key = `${token} ${what.name} ${format} ${ttl}`;
    const version = `${lifetimeOf(now, ttl).expiresAt.getTime()} ${signer.keyId} ${mark}`;
    const { text, etag } =
      kept.find(key, version) ?? (await issuedOnce({ context, what, signer, now, key, version }));
    return fixedText('application/json; charset=utf-8', text, ASK_EACH_TIME, etag)(context);
  };

  function issuedOnce(asked: Asked): Promise<NamedText> {
    const { key, version } = asked;
    const place = `${key} ${version}`;
    const issuing = underWay.get(place) ?? issue(asked).finally(() => underWay.delete(place));
    underWay.set(place, issuing);
    return issuing;
  }

  /** What is read here is as new as the version, or newer: then the next read finds another one. */
  async function issue({ context, what, signer, now, key, version }: Asked): Promise<NamedText> {
    const { token } = context.params;
    const shared = await deps.loadShared(token);
    const outcomes = shared && (await deps.loadOutcomes(shared.subjectId));
    // Test subjects have no token to show; should one ever come by one, it stays made up (RULES T2).
    if (outcomes && !outcomes.livemode) return fail('TEST_MODE_NOT_ALLOWED');
    const attested = outcomes && what.attest(outcomes);
    if (!shared || !attested) return fail('NOT_FOUND', NOTHING);
    const verifyUrl = `${deps.config.baseUrl}/verify/${token}`;
    const { asOf, subjectType } = outcomes;
    const issued = await signer.issue({
      ...attested,
      form: context.query.format,
      share: { tokenId: shared.tokenId, verifyUrl, status: shared.status },
      now,
      ttlSeconds: context.query.ttl,
      asOf,
    });
    const body = { token, subjectType, record: attested.record, asOf, ...issued, verifyUrl };
    const text = JSON.stringify(body);
    const named = { text, etag: etagOf(text) };
    kept.keep(key, version, named);
    return named;
  }
}

const NOTHING = { message: 'No such record is shared under this token, or no longer.' };

interface Asked {
  readonly context: Context;
  readonly what: Attestable;
  readonly signer: CredentialSigner;
  readonly now: Date;
  readonly key: string;
  readonly version: string;
}
