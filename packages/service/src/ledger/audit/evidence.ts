import { CLOCK_SKEW_MS } from '@reliability/proof';
import type { z } from 'zod';
import { type Declared, declaredParties, NOTHING_DECLARED } from '#domain/declaredSubject.js';
import { isAnotherParty, namesOf } from '#domain/sameParty.js';
import type { Tx } from '#kit/db/database.js';
import type { AuditedEvent } from './cursor.js';
import { about, type Report } from './report.js';
import { type AuditedSubject, type ImportRun, readable, StoredDeclaration } from './store.js';

export interface AuditedDeclaration extends z.input<typeof StoredDeclaration> {
  subjectId: string;
}

export function readDeclarations(tx: Tx, subjectIds: readonly string[]): Promise<AuditedDeclaration[]> {
  return tx.query<AuditedDeclaration>(
    `select subject_id, number, is_own, facts::text, after_position, declared_at
     from declaration_fact where subject_id = any($1::uuid[]) order by subject_id, number`,
    [subjectIds],
  );
}

export interface EvidenceCase {
  declarations: readonly AuditedDeclaration[];
  imports: readonly ImportRun[];
}

/**
 * Checks each event against the declaration in force: the operator's own attestation never
 * verifies, and no attester whose name is kept is an insider. Events of the dispute engine are copies: the audit of
 * disputes checks them. Events that are marked as imported must be from the time of an import.
 * @returns a function to call with each event, ordered by position.
 */
export function createEvidenceAudit(
  subject: AuditedSubject,
  { declarations: rows, imports }: EvidenceCase,
  report: Report,
): (event: AuditedEvent) => void {
  const { externalId, isErased, subjectType, declarationNo, isOwn, livemode } = subject;
  const declarations = rows.flatMap(
    (row) => readable(StoredDeclaration, row, about(report, `declaration ${row.number}`)) ?? [],
  );
  const last = declarations.at(-1);
  if (
    declarations.some(({ number }, index) => number !== index + 1) ||
    (last?.number ?? 0) !== declarationNo
  ) {
    report(`subject: declaration_no is ${declarationNo}, with ${declarations.length} declarations`);
  }
  if ((last?.isOwn ?? false) !== isOwn) report(`subject: is_own is ${isOwn}, declared ${!isOwn}`);
  // Its names and who confirmed its outcomes are gone.
  if (externalId === null || isErased) return () => {};
  const self = namesOf([externalId]);
  if ((subjectType === 'PERSON') !== (declarations.length === 0))
    report(`subject: subject_type is ${subjectType}, with ${declarations.length} declarations`);
  const known = declarations.map(({ number, afterPosition, declaredAt, isOwn: isOwnThen, facts }) => {
    const isFit = fits(subjectType, facts);
    if (!isFit) report(`declaration ${number}: its facts are not those of ${subjectType}`);
    const declared = { subjectType, facts } as unknown as Declared;
    const parties = isFit ? declaredParties(declared, isOwnThen) : { ...NOTHING_DECLARED, isOwn: isOwnThen };
    return { number, afterPosition, declaredAt, parties };
  });
  let next = 0;
  return (event) => {
    const { eventId, position, isVerified, attester, disputeId, byOperator, createdAt } = event;
    const isAttested = attester !== null || event.attesterHash !== null;
    if (isAttested && !isVerified) report(`event ${eventId} has an attester, and is not verified`);
    if (event.imported && livemode && !imports.some((run) => isWithin(run, createdAt)))
      report(`event ${eventId} is marked as imported, and no import ran then`);
    while ((known[next]?.afterPosition ?? position) < position) next += 1;
    checkOrder(event, known[next - 1], known[next], report);
    const inForce = known[next - 1]?.parties;
    const isOwnThen = inForce?.isOwn === true;
    if (isOwnThen && byOperator !== true)
      report(`event ${eventId} is not said to rest on the operator's word, whose subject it was about`);
    // Who was named for an outcome that nobody else confirmed is not stored.
    const mayBeOperators =
      isOwnThen || (!isVerified && disputeId === null && (inForce?.operator.size ?? 0) > 0);
    if (byOperator !== null && !mayBeOperators)
      report(`event ${eventId}: by_operator is ${byOperator}, and no operator could have been named for it`);
    if (!inForce || disputeId !== null) return;
    if (inForce.isOwn && isVerified && !isAttested) {
      report(`event ${eventId} is verified on the word of the one who runs its subject`);
    }
    if (attester !== null && !isAnotherParty(attester, self, inForce.self, inForce.operator)) {
      report(`event ${eventId} is verified by its own subject, or by the one who runs it`);
    }
  };
}

function isWithin({ from, until }: ImportRun, at: Date): boolean {
  const isBefore = at.getTime() < from.getTime() - CLOCK_SKEW_MS;
  return !isBefore && (until === null || at.getTime() <= until.getTime() + CLOCK_SKEW_MS);
}

/** Facts have all names of their kind; values may be null. */
function fits(subjectType: AuditedSubject['subjectType'], facts: object | null): boolean {
  if (facts === null || subjectType === 'PERSON') return false;
  return subjectType === 'AGENT'
    ? 'operator' in facts && typeof facts.operator === 'object' && facts.operator !== null
    : 'legalName' in facts;
}

interface Dated {
  number: number;
  declaredAt: Date;
}

/** A declaration applies to the events that were recorded after it, by the clocks of the service. */
function checkOrder(
  { eventId, createdAt }: AuditedEvent,
  inForce: Dated | undefined,
  upcoming: Dated | undefined,
  report: Report,
): void {
  if (inForce && createdAt.getTime() < inForce.declaredAt.getTime() - CLOCK_SKEW_MS)
    report(`declaration ${inForce.number} is after event ${eventId}, and applies to it`);
  if (upcoming && createdAt.getTime() > upcoming.declaredAt.getTime() + CLOCK_SKEW_MS)
    report(`declaration ${upcoming.number} is before event ${eventId}, and does not apply to it`);
}
