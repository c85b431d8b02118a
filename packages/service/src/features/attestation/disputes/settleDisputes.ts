import { outcomeEvent, type Ruling, rulingOf } from '../../../domain/dispute.js';
import type { Tx } from '../../../kit/db/database.js';
import { groupBy } from '../../../kit/groupBy.js';
import type { IdSource } from '../../../kit/ids.js';
import type { Ledger } from '../../../ledger/append/append.js';
import { type EnvelopeDraft, writeEnvelopes } from '../../../outbox/envelopes.js';
import { type Dispute, findOpenDisputes, lockSubject, type OpenDispute, saveResolutions } from './store.js';

interface SettleDeps {
  ids: IdSource;
  ledger: Ledger;
}

interface Case {
  readonly dispute: OpenDispute;
  readonly ruling: Ruling;
}

/**
 * Ends those of the disputes that are still open: the engine's event, the contested event that it closes, the state and the envelope,
 * all in this transaction. Answers what was ended; a dispute that somebody else ended a moment ago is not among it.
 */
export async function settleDisputes(
  tx: Tx,
  { ids, ledger }: SettleDeps,
  now: Date,
  disputes: readonly { id: string; subjectId: string }[],
): Promise<Dispute[]> {
  // In the order in which appends lock. Whatever ends a dispute holds its subject, so what is open now stays so.
  const subjectIds = [...new Set(disputes.map(({ subjectId }) => subjectId))].sort();
  await Promise.all(subjectIds.map((subjectId) => lockSubject(tx, subjectId)));
  const disputeIds = disputes.map(({ id }) => id);
  const open = await findOpenDisputes(tx, subjectIds, disputeIds);
  const cases = open.map((dispute) => ({ dispute, ruling: rulingOf(dispute, now) }));
  const outcomeIds = await writeOutcomes(tx, ledger, cases);
  const settled = cases.map(({ dispute, ruling: { status, lapsed } }) => {
    const outcomeEventId = outcomeIds.get(dispute.id) ?? null;
    return { ...dispute, status, lapsed, resolvedAt: now, outcomeEventId };
  });
  const drafts = cases.map((one) => draftOf(one, now));
  await Promise.all([saveResolutions(tx, settled), writeEnvelopes(tx, ids, now, drafts)]);
  return settled;
}

/** Ids of the outcome events, by dispute. What is alike in platform, mode and tier is appended together. */
async function writeOutcomes(tx: Tx, ledger: Ledger, cases: readonly Case[]): Promise<Map<string, string>> {
  const outcomeIds = new Map<string, string>();
  const groups = groupBy(
    cases,
    ({ dispute }) => `${dispute.platformId} ${dispute.livemode} ${dispute.platformTier}`,
  );
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const { platformId, livemode, platformTier } = first.dispute;
    const events = group.map(({ dispute, ruling }) =>
      outcomeEvent(dispute, dispute.id, ruling, dispute.contested),
    );
    const reporter = { platformId, livemode, trustTier: platformTier };
    const written = await ledger.appendIn(tx, reporter, events, { by: 'engine' });
    written.forEach(({ eventId }, index) => {
      outcomeIds.set(group[index]?.dispute.id ?? '', eventId);
    });
  }
  return outcomeIds;
}

function draftOf({ dispute, ruling }: Case, resolvedAt: Date): EnvelopeDraft {
  const { id, eventId, externalId, platformId, livemode, subjectId } = dispute;
  return {
    type: 'dispute.resolved',
    platformId,
    livemode,
    subjectId,
    data: {
      disputeId: id,
      eventId,
      user: { externalId },
      outcome: ruling.outcome,
      status: ruling.status,
      lapsed: ruling.lapsed,
      resolvedAt: resolvedAt.toISOString(),
    },
  };
}
