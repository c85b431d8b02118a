import type { EventType } from '@reliability/scoring';
import { type DisputeStatus, isDisputable, outcomeOf } from '../domain/dispute.js';
import type { Tx } from '../kit/db/database.js';

/** A dispute beside the events that it names; what is null of an event is not in the ledger of the subject. */
export interface AuditedDispute {
  subject_id: string;
  dispute_id: string;
  event_id: string;
  status: DisputeStatus;
  lapsed: boolean;
  resolved_at: Date | null;
  filed_event_id: string | null;
  outcome_event_id: string | null;
  disputed_type: EventType | null;
  disputed_verified: boolean | null;
  filed_type: EventType | null;
  outcome_type: EventType | null;
  outcome_closes: string | null;
  /** The outcome has the stake, verification and tier of the disputed event, and so has the filing where there is one. */
  is_alike: boolean;
}

export function readDisputes(tx: Tx, subjectIds: readonly string[]): Promise<AuditedDispute[]> {
  return tx.query<AuditedDispute>(
    `select d.subject_id, d.dispute_id, d.event_id, d.status, d.lapsed, d.resolved_at, d.filed_event_id, d.outcome_event_id,
       e.event_type as disputed_type, e.is_verified as disputed_verified, f.event_type as filed_type,
       o.event_type as outcome_type, o.closes_event_id as outcome_closes,
       (f.event_id is null or (f.stake_level, f.is_verified, f.platform_tier) = (e.stake_level, e.is_verified, e.platform_tier))
       and (o.event_id is null or (o.stake_level, o.is_verified, o.platform_tier) = (e.stake_level, e.is_verified, e.platform_tier))
         as is_alike
     from dispute d
     left join event e on e.subject_id = d.subject_id and e.event_id = d.event_id
     left join event f on f.subject_id = d.subject_id and f.event_id = d.filed_event_id and f.dispute_id = d.dispute_id
     left join event o on o.subject_id = d.subject_id and o.event_id = d.outcome_event_id and o.dispute_id = d.dispute_id
     where d.subject_id = any($1::uuid[]) order by d.subject_id, d.dispute_id`,
    [subjectIds],
  );
}

/**
 * Says where a subject's disputes are not what its ledger tells: each is about a disputable event, is as far as the events written
 * for it, and ended by rule.
 * @param engineEvents ids of events that were written for disputes, with that of the dispute.
 */
export function auditDisputes(
  disputes: readonly AuditedDispute[],
  engineEvents: ReadonlyMap<string, string>,
  report: (what: string) => void,
): void {
  const named = new Set<string | null>();
  for (const dispute of disputes) {
    named.add(dispute.filed_event_id).add(dispute.outcome_event_id);
    for (const fault of faultsOf(dispute)) report(`dispute ${dispute.dispute_id}: ${fault}`);
  }
  for (const [eventId, disputeId] of engineEvents) {
    if (!named.has(eventId))
      report(`event ${eventId} was written for dispute ${disputeId}, which does not know it`);
  }
}

function* faultsOf(dispute: AuditedDispute): Generator<string> {
  const { disputed_type, filed_event_id, filed_type, outcome_type } = dispute;
  if (disputed_type === null || !isDisputable(disputed_type))
    yield `it is about ${disputed_type ?? 'no event'}`;
  if (
    (filed_event_id === null) !== (filed_type === null) ||
    (filed_type ?? 'DISPUTE_FILED') !== 'DISPUTE_FILED'
  ) {
    yield `its filing is ${filed_type ?? 'missing'}`;
  }
  const outcome = outcomeOf(dispute.status);
  const due = outcome === null ? null : `DISPUTE_RESOLVED_${outcome}`;
  if (outcome_type !== due || (outcome === null) !== (dispute.outcome_event_id === null)) {
    yield `it is ${dispute.status}, but its outcome event is ${outcome_type ?? 'missing'}`;
  }
  if ((outcome === null) !== (dispute.resolved_at === null))
    yield `it is ${dispute.status}, resolved_at says otherwise`;
  if (outcome !== null && dispute.outcome_closes !== (filed_event_id ?? dispute.event_id))
    yield `its outcome does not close its ${filed_event_id === null ? 'disputed event' : 'filing'}`;
  const byRule = dispute.disputed_verified && !dispute.lapsed ? 'AGAINST_USER' : 'FOR_USER';
  if (outcome !== null && outcome !== byRule) yield `it ended ${outcome}, by rule ${byRule}`;
  if (!dispute.is_alike) yield 'an event written for it does not weigh what the disputed one does';
}
