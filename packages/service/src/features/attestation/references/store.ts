import type { Asked, AttestationTable } from '../attestations/kind.js';
import { newRows } from '../attestations/store.js';
import type { Claim, Reference } from './schemas.js';

/** A row holds the claim in columns. */
export type StoredReference = Omit<Reference, 'claim'> & Claim;

export interface ReferenceTypes {
  readonly stored: StoredReference;
  readonly unread: object;
  readonly asked: StoredReference & Asked;
  readonly response: Reference;
  readonly question: Pick<Reference, 'claim'>;
  readonly recordedId: 'qualificationId';
}

export const referenceTable: AttestationTable<ReferenceTypes> = {
  name: 'reference_request',
  id: 'reference_id',
  recordedId: 'qualification_id',
  columns: `a.reference_id as id, a.status, a.external_id as user_id, a.kind, a.title, a.organization, a.start_date, a.end_date,
    a.description, a.counterparty_ref, a.counterparty_name, a.return_url, a.qualification_id, a.created_at, a.expires_at,
    a.responded_at`,
  askedColumns: [],
  drafts: newRows<ReferenceTypes>('reference_id', {
    kind: ['text', ({ attestation }) => attestation.kind],
    title: ['text', ({ attestation }) => attestation.title],
    organization: ['text', ({ attestation }) => attestation.organization],
    startDate: ['text', ({ attestation }) => attestation.startDate],
    endDate: ['text', ({ attestation }) => attestation.endDate],
    description: ['text', ({ attestation }) => attestation.description],
  }),
  withoutText: 'description = null',
};
