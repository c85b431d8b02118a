import type { Tx } from '../../../kit/db/database.js';
import type { KeyCaller } from '../../../kit/http/route.js';
import { recordActivities } from '../../../ledger/activity.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { ConfirmationRequest } from '../confirmations/confirmationRequest.js';
import type { ConfirmationDeps } from '../confirmations/deps.js';
import { type Confirmation, insertConfirmations, type NewConfirmation } from '../confirmations/store.js';
import type { Asker } from './answerEvidence.js';
import { attestationUrls, keepTokens, mintAttestationToken } from './tokens.js';

/** A request that is about to be written, with its token in clear for as long as it takes to answer. */
export interface Draft {
  readonly row: NewConfirmation;
  readonly token: string;
}

export function draftOf(
  { ids }: Pick<ConfirmationDeps, 'ids'>,
  { platformId, livemode }: KeyCaller,
  request: ConfirmationRequest,
  { now, asker, campaign = null }: { now: Date; asker: Asker; campaign?: NewConfirmation['campaign'] },
): Draft {
  const { token, hash } = mintAttestationToken('confirmation');
  const subjectId = subjectIdOf(platformId, livemode, request.externalId);
  const requestId = ids.at(now);
  return {
    row: { platformId, livemode, requestId, subjectId, request, campaign, hash, createdAt: now, ...asker },
    token,
  };
}

/** Writes requests, their tokens' hashes and a line of the audit trail for each: three statements, however many there are. */
export async function writeDrafts(
  tx: Tx,
  { ids }: Pick<ConfirmationDeps, 'ids'>,
  { keyId }: KeyCaller,
  drafts: readonly Draft[],
): Promise<void> {
  if (drafts.length === 0) return;
  const rows = drafts.map(({ row }) => row);
  await insertConfirmations(tx, rows);
  await keepTokens(tx, 'confirmation', rows);
  await recordActivities(
    tx,
    rows.map(({ platformId, livemode, requestId, subjectId, request, campaign, createdAt }) => ({
      id: ids.at(createdAt),
      platformId,
      livemode,
      action: 'CONFIRMATION_REQUEST_CREATED',
      actor: `key:${keyId}`,
      target: requestId,
      subjectId,
      details: {
        userId: request.externalId,
        eventType: request.eventType,
        counterpartyRef: request.counterpartyRef,
        ...(campaign ? { campaignId: campaign.id } : {}),
      },
      at: createdAt,
    })),
  );
}

/** What the platform gets to hand on: the only time that the token is seen. */
export interface HandedOut {
  readonly confirmationToken: string;
  readonly confirmUrl: string;
  readonly previewUrl: string;
  readonly respondUrl: string;
}

export function handedOut(baseUrl: string, { row, token }: Draft): HandedOut {
  const { pageUrl, previewUrl, respondUrl } = attestationUrls('confirmation', baseUrl, row.requestId, token);
  return { confirmationToken: token, confirmUrl: pageUrl, previewUrl, respondUrl };
}

/** The record of a request that has just been written. */
export function recordOf({ row: { requestId, request, campaign, createdAt } }: Draft): Confirmation {
  const { externalId, metadata: _, expiresAt, ...asked } = request;
  return {
    id: requestId,
    status: 'PENDING',
    userId: externalId,
    ...asked,
    campaignId: campaign?.id ?? null,
    eventId: null,
    createdAt,
    expiresAt,
    respondedAt: null,
    answer: null,
  };
}
