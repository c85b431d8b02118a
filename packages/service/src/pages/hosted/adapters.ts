import { respondToConfirmation } from '../../features/attestation/attestations/respond.js';
import type { ConfirmationDeps } from '../../features/attestation/confirmations/deps.js';
import { previewConfirmation } from '../../features/attestation/confirmations/previewConfirmation.js';
import type { ReferenceDeps } from '../../features/attestation/references/deps.js';
import { previewReference } from '../../features/attestation/references/previewReference.js';
import { respondToReference } from '../../features/attestation/references/respondToReference.js';
import type { AttestationAdapter } from './attestationAdapter.js';

export function confirmationAdapter(deps: ConfirmationDeps): AttestationAdapter {
  const { db, clock } = deps;
  return {
    path: 'confirm',
    tokenError: 'CONFIRMATION_TOKEN_INVALID',
    stateError: 'CONFIRMATION_NOT_PENDING',
    selfError: 'CONFIRMATION_SELF',
    async show(id, token) {
      const { preview, ...more } = await previewConfirmation(db, { id, token, now: clock.now() });
      const { status, platformName, userId, expiresAt, transactionValue, dueDate, completedAt } = preview;
      const { eventType, description } = preview;
      const entry = { eventType, description, value: transactionValue, due: dueDate, completed: completedAt };
      return {
        ...more,
        status,
        platformName,
        subject: userId,
        expiresAt,
        entry: { kind: 'confirmation', ...entry },
      };
    },
    answer: (id, token, decision, answerer) =>
      respondToConfirmation(deps, { id, token, decision, answerer, now: clock.now() }),
  };
}

export function referenceAdapter(deps: ReferenceDeps): AttestationAdapter {
  const { db, clock } = deps;
  return {
    path: 'reference',
    tokenError: 'REFERENCE_TOKEN_INVALID',
    stateError: 'REFERENCE_NOT_PENDING',
    selfError: 'REFERENCE_SELF',
    async show(id, token) {
      const { preview, ...more } = await previewReference(db, { id, token, now: clock.now() });
      const { status, platformName, userId, expiresAt, claim } = preview;
      const { kind, ...claimed } = claim;
      return {
        ...more,
        status,
        platformName,
        subject: userId,
        expiresAt,
        entry: { ...claimed, kind: 'reference', claim: kind },
      };
    },
    answer: (id, token, decision, answerer) =>
      respondToReference(deps, { id, token, decision, answerer, now: clock.now() }),
  };
}
