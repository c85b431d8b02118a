import { type Declared, declaredParties } from '../domain/declaredSubject.js';
import { isAnotherParty, namesOf } from '../domain/sameParty.js';
import type { Tx } from '../kit/db/database.js';
import type { Report } from './auditSnapshots.js';
import type { AuditedEvent, AuditedSubject } from './auditStore.js';

/** A declaration, and the position behind which events are judged by it. */
export interface AuditedDeclaration {
  subject_id: string;
  number: number;
  is_own: boolean;
  facts: Declared['facts'];
  after_position: number;
}

/** The declarations of these subjects, in their order. */
export function readDeclarations(tx: Tx, subjectIds: readonly string[]): Promise<AuditedDeclaration[]> {
  return tx.query<AuditedDeclaration>(
    `select subject_id, number, is_own, facts, after_position
     from declaration_fact where subject_id = any($1::uuid[]) order by subject_id, number`,
    [subjectIds],
  );
}

/**
 * Holds what counts as verified against the declaration that was in force: nothing does on the word of the one who runs the subject,
 * and no attester is an insider. What the dispute engine wrote is a copy, and held against its dispute.
 * @returns to be called with each event, in the order of positions.
 */
export function createEvidenceAudit(
  { external_id, subject_type, declaration_no, is_own }: AuditedSubject,
  declarations: readonly AuditedDeclaration[],
  report: Report,
): (event: AuditedEvent) => void {
  const last = declarations.at(-1);
  if (
    declarations.some(({ number }, index) => number !== index + 1) ||
    (last?.number ?? 0) !== declaration_no
  ) {
    report(`subject: declaration_no is ${declaration_no}, with ${declarations.length} declarations`);
  }
  if ((last?.is_own ?? false) !== is_own) report(`subject: is_own is ${is_own}, declared ${!is_own}`);
  const self = namesOf([external_id]);
  const known = declarations.map((declaration) => ({
    afterPosition: declaration.after_position,
    parties: declaredParties(
      { subjectType: subject_type, facts: declaration.facts } as Declared,
      declaration.is_own,
    ),
  }));
  let next = 0;
  return (event) => {
    const { event_id, position, is_verified, attester, dispute_id, by_operator } = event;
    if (attester !== null && !is_verified) report(`event ${event_id} has an attester, and is not verified`);
    while ((known[next]?.afterPosition ?? position) < position) next += 1;
    const inForce = known[next - 1]?.parties;
    if (!inForce || dispute_id !== null) return;
    if (inForce.isOwn && by_operator !== true) {
      report(`event ${event_id} is not said to rest on the operator's word, whose subject it was about`);
    }
    if (inForce.isOwn && is_verified && attester === null) {
      report(`event ${event_id} is verified on the word of the one who runs its subject`);
    }
    if (attester !== null && !isAnotherParty(attester, self, inForce.self, inForce.operator)) {
      report(`event ${event_id} is verified by its own subject, or by the one who runs it`);
    }
  };
}
