import type { ConfirmableEventType } from '../../../domain/catalogues/enums.js';
import type { Queryable } from '../../../kit/db/database.js';
import { assertOpen, type RequestStatus, statusAt } from '../attestations/attestation.js';
import { platformOfToken } from '../attestations/tokens.js';
import { findAsked } from './store.js';

/** What the counterparty must know to decide, and no more (RULES A7). */
export interface ConfirmationPreview {
  readonly id: string;
  readonly status: RequestStatus;
  /** Who asks. */
  readonly platformName: string;
  /** About whom: the platform's own id of the subject. */
  readonly userId: string;
  readonly eventType: ConfirmableEventType;
  readonly description: string;
  readonly transactionValue: number | null;
  readonly dueDate: Date | null;
  readonly completedAt: Date | null;
  readonly expiresAt: Date;
}

/** The preview, and what the hosted page needs besides. */
export interface PreviewedConfirmation {
  readonly preview: ConfirmationPreview;
  readonly counterpartyName: string | null;
  readonly respondedAt: Date | null;
  readonly returnUrl: string | null;
  readonly livemode: boolean;
}

/** In whatever state the request is. Throws CONFIRMATION_TOKEN_INVALID for a wrong token and an unknown request alike. */
export async function previewConfirmation(
  db: Queryable,
  { id, token, now }: { id: string; token: unknown; now: Date },
): Promise<PreviewedConfirmation> {
  const platformId = await platformOfToken(db, 'confirmation', id, token);
  const found = platformId === null ? null : await findAsked(db, platformId, id);
  const asked = assertOpen(found, 'CONFIRMATION_TOKEN_INVALID');
  const { platformName, userId, eventType, description, transactionValue, dueDate, completedAt, expiresAt } =
    asked;
  return {
    preview: {
      id: asked.id,
      status: statusAt(asked, now),
      platformName,
      userId,
      eventType,
      description,
      transactionValue,
      dueDate,
      completedAt,
      expiresAt,
    },
    counterpartyName: asked.counterpartyName,
    respondedAt: asked.respondedAt,
    returnUrl: asked.returnUrl,
    livemode: asked.livemode,
  };
}
