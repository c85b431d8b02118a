import { namesOf } from '../../../domain/sameParty.js';
import type { Tx } from '../../../kit/db/database.js';
import { metadataOf } from '../../../ledger/reads/eventRow.js';
import { withStatusAt } from '../attestations/attestation.js';
import type { AttestationKind, RecordDeps } from '../attestations/kind.js';
import { type ConfirmationTypes, confirmationTable } from './store.js';

/** A counterparty confirms an outcome, and the ledger gets an event. */
export const confirmation: AttestationKind<ConfirmationTypes> = {
  name: 'confirmation',
  tokenPrefix: 'cft_',
  path: '/confirmations',
  pagePath: '/confirm',
  errors: {
    token: 'CONFIRMATION_TOKEN_INVALID',
    state: 'CONFIRMATION_NOT_PENDING',
    self: 'CONFIRMATION_SELF',
  },
  table: confirmationTable,
  activity: {
    actions: {
      PENDING: 'CONFIRMATION_REQUEST_CREATED',
      CONFIRMED: 'CONFIRMATION_REQUEST_CONFIRMED',
      DECLINED: 'CONFIRMATION_REQUEST_DECLINED',
      CANCELLED: 'CONFIRMATION_REQUEST_CANCELLED',
    },
    detailsOf: ({ userId, eventType, counterpartyRef, campaignId }, status) => ({
      userId,
      eventType,
      counterpartyRef,
      ...(status === 'PENDING' && campaignId !== null ? { campaignId } : {}),
    }),
  },
  toResponse(stored, now) {
    const { subjectName, ...response } = withStatusAt(stored, now);
    return { ...response, ...nameIn(subjectName) };
  },
  questionOf: ({ eventType, description, subjectName, transactionValue, dueDate, completedAt }) => ({
    eventType,
    description,
    ...nameIn(subjectName),
    transactionValue,
    dueDate,
    completedAt,
  }),
  record: recordEvent,
  recordedId: 'eventId',
  movesScore: true,
};

function nameIn(subjectName: string | null): { subjectName?: string } {
  return subjectName === null ? {} : { subjectName };
}

/** The event is verified: a party other than the subject confirmed it. */
async function recordEvent(
  tx: Tx,
  { ledger }: RecordDeps,
  asked: ConfirmationTypes['asked'],
): Promise<string> {
  const { eventType, stakeLevel, transactionValue, dueDate, completedAt } = asked;
  const outcome = {
    externalId: asked.userId,
    eventType,
    stakeLevel,
    isVerified: true,
    attester: asked.counterpartyRef,
    transactionValue,
    dueDate,
    completedAt,
    metadata: metadataOf(asked.metadata),
    itemKey: null,
    imported: false,
  };
  const evidence = { by: 'counterparty', platform: namesOf([asked.platformName]) } as const;
  const [written] = await ledger.appendIn(tx, asked, [outcome], evidence);
  if (!written) throw new Error('the ledger returned no event');
  return written.eventId;
}
