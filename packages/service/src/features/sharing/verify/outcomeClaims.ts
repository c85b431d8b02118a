import { fail } from '../../../domain/errors.js';
import type { ClaimSource } from '../../../ledger/issuing/claimSources.js';
import type { ServiceCredentialType } from '../../../ledger/issuing/vocabulary.js';
import type { LoadOutcomes, SubjectOutcomes } from '../../../ledger/profile/outcomeRecords.js';

export interface AttestedOutcomes {
  readonly type: ServiceCredentialType;
  readonly record: object;
}

/** The content of GET /verify/{token}/delivery-receipts. */
export function attestDeliveries({ subjectType, record }: SubjectOutcomes): AttestedOutcomes {
  return {
    type: subjectType === 'AGENT' ? 'ServiceAgentDeliveryCredential' : 'ServiceDeliveryReceiptCredential',
    record: record.deliveries,
  };
}

/** The content of GET /verify/{token}/business-record. Null if the subject is not a business. */
export function attestBusiness({ subjectType, record }: SubjectOutcomes): AttestedOutcomes | null {
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
