import type { Database } from '#kit/db/database.js';
import type { Owner } from '#kit/http/route.js';
import { inSlices, keptSince, SLICE_ROWS, type Sweep } from '#ledger/sweep.js';
import { assertPending } from './attestation.js';
import { recordAct } from './drafts.js';
import type { AttestationDeps, AttestationKind, KindTypes, Tabled } from './kind.js';
import {
  dropRequestTexts,
  findExpired,
  findWithTexts,
  lockAttestation,
  saveDecision,
  saveExpired,
} from './store.js';

/** Cancels a pending request. Throws NOT_FOUND and `errors.state`. */
export function cancelAttestation<K extends KindTypes>(
  deps: Pick<AttestationDeps, 'db' | 'clock' | 'ids'>,
  kind: AttestationKind<K>,
  owner: Owner,
  id: string,
): Promise<K['response']> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const stored = await lockAttestation(tx, kind, owner, id);
    assertPending(stored, now, kind.errors.state);
    const status = 'CANCELLED' as const;
    const cancelled = { ...stored, status };
    const decision = { status, recordedId: null, respondedAt: null, answer: null };
    await saveDecision(tx, kind, owner.platformId, stored.id, decision);
    const { actor } = owner;
    await recordAct(tx, deps, kind, owner, { status, actor, at: now, attestations: [cancelled] });
    return kind.toResponse(cancelled, now);
  });
}

/** Part of the sweep `expiry`: stores the expiry that every reader sees already. */
export function expireAttestations(db: Database, kind: Tabled): Sweep {
  return (now, until) =>
    inSlices(db, `expired ${kind.name}s`, until, async (tx) => {
      const expired = await findExpired(tx, kind, now, SLICE_ROWS);
      const affected = await saveExpired(tx, kind, expired);
      return { affected, isLast: expired.length < SLICE_ROWS };
    });
}

/** Part of the sweep `retention`: an ended request holds the text of the event that it asked for. */
export function removeRequestTexts(db: Database, kind: Tabled, days: number): Sweep {
  return (now, until) =>
    inSlices(db, `texts of ${kind.name}s`, until, async (tx) => {
      const old = await findWithTexts(tx, kind, keptSince(now, days), SLICE_ROWS);
      const affected = await dropRequestTexts(tx, kind, old);
      return { affected, isLast: old.length < SLICE_ROWS };
    });
}
