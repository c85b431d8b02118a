import type { z } from 'zod';
import { fail } from '../../domain/errors.js';
import type { Clock } from '../../kit/clock.js';
import type { Answer } from '../../kit/http/answer.js';
import { fixedText } from '../../kit/http/fixedDocument.js';
import type { PublicAccess, RequestContext } from '../../kit/http/route.js';
import type { CredentialQuery } from '../../ledger/credentials/credentialSchemas.js';
import type { CredentialSigner, Issuer } from '../../ledger/credentials/issuer.js';
import { lifetimeOf } from '../../ledger/credentials/lifetime.js';
import type { LoadShared, SharedRecord } from '../../ledger/credentials/sharedRecords.js';
import type { ServiceCredentialType } from '../../ledger/credentials/vocabulary.js';
import type { LoadOutcomes, SubjectOutcomes } from '../../ledger/outcomeRecords.js';
import { ASK_EACH_TIME } from './readShared.js';
import type { sharePath } from './schemas.js';

export interface SharedRecordParts {
  config: { baseUrl: string };
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

/** A document that is answered with, or with 304 to whoever holds it. */
type Document = ReturnType<typeof fixedText>;

/** Some kilobytes each. */
const MAX_KEPT = 1000;

/**
 * A record behind a share token, and a credential of it under that token. What is issued stays the same within its hour for as long
 * as the record does (lifetimeOf), so the ETag spares whoever asks again; and it is signed once, not for each who asks.
 */
export function createSharedRecordReader({
  config,
  clock,
  issuer,
  loadShared,
  loadOutcomes,
}: SharedRecordParts) {
  const kept = new Map<string, Promise<Document>>();

  return async (
    context: Context,
    attest: (outcomes: SubjectOutcomes) => Attested | null,
  ): Promise<Answer> => {
    const { token } = context.params;
    const shared = await loadShared(token);
    const outcomes = shared && (await loadOutcomes(shared.subjectId));
    // Test subjects have no token to show; should one ever come by one, it stays made up (INTERFACE 1.12).
    if (outcomes && !outcomes.livemode) return fail('TEST_MODE_NOT_ALLOWED');
    const attested = outcomes && attest(outcomes);
    if (!shared || !attested) {
      return fail('NOT_FOUND', { message: 'No such record is shared under this token, or no longer.' });
    }
    const signer = await issuer.signer();
    const document = await recall({ context, shared, outcomes, attested, signer, now: clock.now() });
    return document(context);
  };

  function recall(asked: Asked): Promise<Document> {
    const { context, shared, outcomes, attested, signer, now } = asked;
    const { ttl, format } = context.query;
    const lifetime = lifetimeOf(now, ttl);
    const mark = JSON.stringify([shared.tokenId, outcomes.asOf, attested, format, lifetime, signer.keyId]);
    const found = kept.get(mark);
    if (found) return found;
    if (kept.size >= MAX_KEPT) kept.clear();
    const document = issue(asked);
    kept.set(mark, document);
    document.catch(() => kept.delete(mark));
    return document;
  }

  async function issue({ context, shared, outcomes, attested, signer, now }: Asked): Promise<Document> {
    const { token } = context.params;
    const { asOf, subjectType } = outcomes;
    const verifyUrl = `${config.baseUrl}/verify/${token}`;
    const issued = await signer.issue({
      ...attested,
      form: context.query.format,
      share: { tokenId: shared.tokenId, verifyUrl, status: shared.status },
      now,
      ttlSeconds: context.query.ttl,
      asOf,
    });
    const body = { token, subjectType, record: attested.record, asOf, ...issued, verifyUrl };
    return fixedText('application/json; charset=utf-8', JSON.stringify(body), ASK_EACH_TIME);
  }
}

interface Asked {
  readonly context: Context;
  readonly shared: SharedRecord;
  readonly outcomes: SubjectOutcomes;
  readonly attested: Attested;
  readonly signer: CredentialSigner;
  readonly now: Date;
}
