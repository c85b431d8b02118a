import { fail } from '../../../domain/errors.js';
import type { LoadOutcomes } from '../../../ledger/profile/outcomeRecords.js';
import type { ClaimSource } from '../issuing/claimSources.js';
import { attestBusiness, attestDeliveries } from './readSharedRecord.js';

/** For wallets: what the public reads attest as well. Of each subject one kind of delivery record can be said. */
export function outcomeClaims(loadOutcomes: LoadOutcomes): readonly ClaimSource[] {
  const source = (
    type: ClaimSource['type'],
    title: string,
    attest: typeof attestDeliveries | typeof attestBusiness,
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
