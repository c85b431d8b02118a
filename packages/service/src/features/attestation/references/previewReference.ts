import type { Queryable } from '../../../kit/db/database.js';
import { assertOpen, type RequestStatus, statusAt } from '../attestations/attestation.js';
import { platformOfToken } from '../attestations/tokens.js';
import { findAsked } from './store.js';
import { claimOf } from './toResponse.js';

/** What the counterparty must know to decide, and no more (RULES A7). */
export interface ReferencePreview {
  readonly id: string;
  readonly status: RequestStatus;
  /** Who asks. */
  readonly platformName: string;
  /** About whom: the platform's own id of the subject. */
  readonly userId: string;
  readonly claim: ReturnType<typeof claimOf>;
  readonly expiresAt: Date;
}

/** The preview, and what the hosted page needs besides. */
export interface PreviewedReference {
  readonly preview: ReferencePreview;
  readonly counterpartyName: string | null;
  readonly respondedAt: Date | null;
  readonly returnUrl: string | null;
  readonly livemode: boolean;
}

/** In whatever state the reference is. Throws REFERENCE_TOKEN_INVALID for a wrong token and an unknown reference alike. */
export async function previewReference(
  db: Queryable,
  { id, token, now }: { id: string; token: unknown; now: Date },
): Promise<PreviewedReference> {
  const platformId = await platformOfToken(db, 'reference', id, token);
  const found = platformId === null ? null : await findAsked(db, platformId, id);
  const asked = assertOpen(found, 'REFERENCE_TOKEN_INVALID');
  const { platformName, userId, expiresAt, counterpartyName, respondedAt, returnUrl, livemode } = asked;
  const status = statusAt(asked, now);
  return {
    preview: { id: asked.id, status, platformName, userId, claim: claimOf(asked), expiresAt },
    counterpartyName,
    respondedAt,
    returnUrl,
    livemode,
  };
}
