import type {
  AttestationDeps,
  AttestationKind,
  KindTypes,
} from '../../features/attestation/attestations/kind.js';
import {
  type Previewed,
  previewAttestation,
  respondToAttestation,
} from '../../features/attestation/attestations/respond.js';
import { confirmation } from '../../features/attestation/confirmations/kind.js';
import { reference } from '../../features/attestation/references/kind.js';
import type { AttestationAdapter, Entry } from './attestationAdapter.js';

export function confirmationAdapter(deps: AttestationDeps): AttestationAdapter {
  return adapterOf(
    deps,
    confirmation,
    ({ eventType, description, subjectName, transactionValue, dueDate, completedAt }) => ({
      kind: 'confirmation',
      eventType,
      description,
      subjectName: subjectName ?? null,
      value: transactionValue,
      due: dueDate,
      completed: completedAt,
    }),
  );
}

export function referenceAdapter(deps: AttestationDeps): AttestationAdapter {
  return adapterOf(deps, reference, ({ claim: { kind, ...claimed } }) => ({
    ...claimed,
    kind: 'reference',
    claim: kind,
  }));
}

function adapterOf<K extends KindTypes>(
  deps: AttestationDeps,
  kind: AttestationKind<K>,
  entryOf: (question: Previewed<K['question']>['preview']) => Entry,
): AttestationAdapter {
  return {
    pagePath: kind.pagePath,
    errors: kind.errors,
    async show(id, token) {
      const { preview, ...more } = await previewAttestation(deps, kind, id, token);
      const { status, platformName, userId, expiresAt } = preview;
      return { ...more, status, platformName, subject: userId, expiresAt, entry: entryOf(preview) };
    },
    answer: (id, sent, answerer) => respondToAttestation(deps, kind, id, sent, answerer),
  };
}
