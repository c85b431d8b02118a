import { outcomeEvent, type Ruling, rulingOf } from '#domain/dispute.js';
import { fail } from '#domain/errors.js';
import type { Tx } from '#kit/db/database.js';
import { groupBy } from '#kit/lists.js';
import { othersOf } from '#ledger/links/recordReads.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { inSlices, type Sweep } from '#ledger/sweep.js';
import { type EnvelopeDraft, writeEnvelopes } from '#outbox/envelopes.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { Dispute } from './schemas.js';
import {
  failUnknownDispute,
  findDispute,
  findDueDisputes,
  findOpenDisputes,
  findOpenIds,
  lockSubject,
  type OpenDispute,
  readDispute,
  type StoredDispute,
  saveResolutions,
} from './store.js';

type LapseDeps = Pick<ServiceDeps, 'db' | 'ids' | 'ledger' | 'wakes'>;
export type ResolveDeps = LapseDeps & Pick<ServiceDeps, 'clock'>;

/**
 * PATCH and POST /disputes/{id}/resolve: ends the dispute once, by its evidence (RULES D2). After
 * the window, before the sweep has run, it ends as a lapse.
 */
export async function resolveDispute(deps: ResolveDeps, owner: ModeOwner, id: string): Promise<Dispute> {
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    const found = (await findDispute(tx, id)) ?? (await findInOtherGroups(tx, id)) ?? failUnknownDispute();
    if (found.livemode !== owner.livemode) return failUnknownDispute();
    if (found.platformId !== owner.platformId) {
      return fail('FORBIDDEN', {
        message: 'Only the platform that reported the disputed event can resolve this.',
      });
    }
    const [resolved] = await endDisputes(tx, deps, now, [found]);
    if (!resolved) fail('CONFLICT', { message: 'This dispute is already resolved.' });
  });
  deps.wakes.raise('scores', 'deliveries');
  return readDispute(deps.db, owner, id, now);
}

/** A dispute of a platform of another ledger group is of another platform, and not unknown. */
async function findInOtherGroups(tx: Tx, id: string): Promise<StoredDispute | null> {
  for (const other of othersOf(tx)) {
    const found = await findDispute(other, id);
    if (found) return found;
  }
  return null;
}

/** Appends to the subjects of a slice wait for it, so it is short. */
const DISPUTES_PER_SLICE = 100;

/**
 * The sweep `disputes`: ends unresolved disputes after their window, for the subject (RULES D3).
 */
export function lapseDisputes(deps: LapseDeps): Sweep {
  return async (now, until) => {
    const affected = await inSlices(deps.db, 'disputes', until, async (tx) => {
      const due = await findDueDisputes(tx, now, DISPUTES_PER_SLICE);
      const lapsed = await endDisputes(tx, deps, now, due);
      // If no dispute of a full slice could be ended, the same slice would be found again.
      const isLast = due.length < DISPUTES_PER_SLICE || lapsed.length === 0;
      return { affected: lapsed.length, isLast };
    });
    if (affected > 0) {
      deps.wakes.raise('scores', 'deliveries');
    }
    return affected;
  };
}

interface Case {
  readonly dispute: OpenDispute;
  readonly ruling: Ruling;
}

/**
 * Ends those of the disputes that are still open, and answers them. The engine's event, the closing
 * of the contested event, the status and the envelope are written in this transaction.
 */
async function endDisputes(
  tx: Tx,
  { ids, ledger }: Pick<ServiceDeps, 'ids' | 'ledger'>,
  now: Date,
  disputes: readonly { id: string; subjectId: string }[],
): Promise<StoredDispute[]> {
  // In the order in which appends lock. Every end of a dispute locks its subject, so an open
  // dispute stays open from here on.
  const subjectIds = [...new Set(disputes.map(({ subjectId }) => subjectId))].sort();
  await Promise.all(subjectIds.map((subjectId) => lockSubject(tx, subjectId)));
  const disputeIds = disputes.map(({ id }) => id);
  const open = await findOpenDisputes(tx, subjectIds, disputeIds);
  const cases = open.map((dispute) => ({ dispute, ruling: rulingOf(dispute, now) }));
  const ended = await closeCases(tx, ledger, now, cases);
  await writeEnvelopes(
    tx,
    ids,
    now,
    cases.map((one) => envelopeOf(one, now)),
  );
  return ended;
}

/**
 * Ends the open disputes of a subject that is being erased as lapses, since nobody can resolve them
 * afterwards, and a linked record would keep the contested outcomes. No envelope says so: it
 * would name the subject. The caller has locked the record, and erases in the same transaction.
 */
export async function lapseErased(
  tx: Tx,
  ledger: ServiceDeps['ledger'],
  subjectId: string,
  now: Date,
): Promise<void> {
  await lockSubject(tx, subjectId);
  const open = await findOpenDisputes(tx, [subjectId], await findOpenIds(tx, subjectId));
  const ruling: Ruling = { outcome: 'FOR_USER', status: 'RESOLVED_FOR_USER', lapsed: true };
  await closeCases(
    tx,
    ledger,
    now,
    open.map((dispute) => ({ dispute, ruling })),
  );
}

async function closeCases(
  tx: Tx,
  ledger: ServiceDeps['ledger'],
  now: Date,
  cases: readonly Case[],
): Promise<StoredDispute[]> {
  const outcomeIds = await writeOutcomes(tx, ledger, cases);
  const ended = cases.map(({ dispute, ruling: { status, lapsed } }) => {
    const outcomeEventId = outcomeIds.get(dispute.id) ?? null;
    return { ...dispute, status, lapsed, resolvedAt: now, outcomeEventId };
  });
  await saveResolutions(tx, ended, now);
  return ended;
}

/** The ids of the outcome events, by dispute. One append for each platform, mode and tier. */
async function writeOutcomes(
  tx: Tx,
  ledger: ServiceDeps['ledger'],
  cases: readonly Case[],
): Promise<Map<string, string>> {
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

function envelopeOf({ dispute, ruling }: Case, resolvedAt: Date): EnvelopeDraft {
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
