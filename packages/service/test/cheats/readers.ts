import {
  canonicalJson,
  equalBytes,
  fromBase64,
  type JsonValue,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  verify,
  verifyConsistency,
} from '@reliability/proof';
import type { TestService } from '#harness/service.js';
import type { Database } from '#kit/db/database.js';
import { auditLedger } from '#ledger/audit/auditLedger.js';
import { auditLog } from '#ledger/log/audit/auditLog.js';

/** A receipt as a platform keeps it. */
export interface KeptReceipt {
  eventId: string;
  leafIndex: number;
  fact: JsonValue;
  checkpoint: string;
  /** As it was answered. */
  file: object;
}

/** The differences that `npm run audit-ledger` reports. */
export async function audit(db: Database): Promise<string[]> {
  const found: string[] = [];
  await auditLedger(db, { now: new Date(), onDifference: (what) => found.push(what) });
  await auditLog(db, { now: new Date(), onDifference: (what) => found.push(what) });
  return found;
}

/** A platform asks for its receipts and the score's proof again, and compares them with what it kept. */
export async function platformFinds(
  service: TestService,
  vkey: string,
  userId: string,
  kept: readonly KeptReceipt[],
): Promise<string[]> {
  const found: string[] = [];
  const options = { logKey: parseVerifierKey(vkey), now: new Date(Date.now() + 60_000) };
  for (const { eventId, leafIndex, fact, checkpoint, file } of kept) {
    const { status, body } = await service.request('GET', `/events/${eventId}/receipt`);
    if (status !== 200) {
      found.push(`GET /events/{id}/receipt answers ${status}`);
      continue;
    }
    const { consistency, fault } = await proofBetween(service, checkpoint, body.checkpoint);
    if (fault) found.push(fault);
    const { steps } = await verify(body, { ...options, kept: { checkpoint, consistency, file } });
    found.push(...steps.filter(({ ok }) => ok === false).map(({ name, text }) => `${name}: ${text}`));
    const isSame = canonicalJson(body.fact) === canonicalJson(fact) && body.leafIndex === leafIndex;
    if (!isSame) found.push('the receipt holds another fact than the one that was kept');
  }
  const { status, body } = await service.request('GET', `/users/${userId}/score/proof`);
  if (status !== 200) return [...found, `GET /users/{id}/score/proof answers ${status}`];
  const { steps } = await verify(body, options);
  return [...found, ...steps.filter(({ ok }) => ok === false).map(({ name, text }) => `${name}: ${text}`)];
}

/** Anybody compares the present checkpoint with one from another day. Null: it contains it. */
export async function checkpointFinds(service: TestService, kept: string): Promise<string | null> {
  const { status, text } = await service.request('GET', '!/log/checkpoint', { key: null });
  if (status !== 200) return `GET /log/checkpoint answers ${status}`;
  const present = headOf(text);
  const before = headOf(kept);
  if (present.size < before.size) return `the log of ${before.size} facts has shrunk to ${present.size}`;
  const { consistency, fault } = await proofBetween(service, kept, text);
  if (fault) return fault;
  if (present.size === before.size) {
    return equalBytes(present.root, before.root) ? null : `two logs of ${present.size} facts are signed`;
  }
  const isContained = verifyConsistency({
    from: before.size,
    to: present.size,
    fromRoot: before.root,
    toRoot: present.root,
    proof: consistency.map((hash) => fromBase64(hash) ?? new Uint8Array()),
  });
  return isContained ? null : `the log of ${present.size} facts does not contain that of ${before.size}`;
}

/**
 * A witness that cosigned the kept checkpoint is asked to cosign the present one, with the proof that
 * the log gives. Null: it does.
 */
export async function witnessFinds(
  witness: TestService,
  service: TestService,
  kept: string,
): Promise<string | null> {
  const { status: shown, text: present } = await service.request('GET', '!/log/checkpoint', { key: null });
  if (shown !== 200) return null; // nothing to cosign
  const { consistency } = await proofBetween(service, kept, present);
  const lines = consistency.map((hash) => `${hash}\n`).join('');
  const { status, text } = await askWitness(witness, `old ${headOf(kept).size}\n${lines}\n${present}`);
  return status === 200 ? null : `the witness answers ${status}: ${text}`;
}

/** POST /log/witness/add-checkpoint. */
export function askWitness(witness: TestService, body: string) {
  return witness.request('POST', '!/log/witness/add-checkpoint', {
    key: null,
    body,
    headers: { 'Content-Type': 'text/plain' },
  });
}

async function proofBetween(service: TestService, one: string, other: string) {
  const [from = 0, to = 0] = [headOf(one).size, headOf(other).size].sort((a, b) => a - b);
  if (from === to) return { consistency: [] as string[], fault: null };
  const { status, body } = await service.request('GET', `!/log/consistency?from=${from}&to=${to}`, {
    key: null,
  });
  if (status !== 200) return { consistency: [], fault: `GET /log/consistency answers ${status}` };
  return { consistency: body.proof as string[], fault: null };
}

function headOf(checkpoint: string) {
  return parseCheckpoint(parseNote(checkpoint).text);
}
