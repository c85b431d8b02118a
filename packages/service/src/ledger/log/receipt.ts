import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '#domain/errors.js';
import type { Queryable } from '#kit/db/database.js';
import { failErased } from '../erasure/erasedSubjects.js';
import { remainsOf, textOf } from '../text/eventText.js';
import { findLatestCheckpoint, type PublishedCheckpoint } from './checkpoints.js';
import { LOGGED_EVENT_COLUMNS, PLACE_COLUMNS } from './factStore.js';
import { type EventFactRow, eventFactText, type Fact, factKinds } from './facts.js';
import { inclusionProofs } from './inclusion.js';
import { type LogState, readLogState } from './state.js';

/** Shows that an event is in the log, to everybody who knows the log's key. */
export interface Receipt {
  eventId: string;
  leafIndex: number;
  salt: string;
  fact: Fact;
  proof: string[];
  /** The signed checkpoint (C2SP tlog-checkpoint), with cosignatures. */
  checkpoint: string;
}

interface LoggedEvent extends EventFactRow {
  isErased: boolean;
  leafIndex: number | null;
  salt: Buffer | null;
  previous: string | null;
  completeUntil: Date | null;
}

/** A live event of a platform. Throws SUBJECT_ERASED. Null: there is none. 'pending': no checkpoint covers it yet. */
export async function findReceipt(
  db: Queryable,
  platformId: string,
  eventId: string,
): Promise<Receipt | 'pending' | null> {
  const [[event], checkpoint] = await Promise.all([
    db.query<LoggedEvent>(
      `select ${LOGGED_EVENT_COLUMNS}, f.leaf_index, f.salt, ${PLACE_COLUMNS}, s.external_id is null as is_erased
       from event e join subject s using (subject_id) ${textOf('e')} ${remainsOf('e')}
       left join log_fact f on f.subject_id = e.subject_id and f.kind = ${factKinds.event} and f.ref = e.position
       left join log_fact p on p.subject_id = e.subject_id and p.kind = ${factKinds.event} and p.ref = e.position - 1
       where e.platform_id = $1 and e.livemode and e.event_id = $2`,
      [platformId, eventId],
    ),
    findLatestCheckpoint(db),
  ]);
  if (!event) return null;
  if (event.isErased) failErased();
  const { leafIndex, salt, previous, completeUntil } = event;
  if (leafIndex === null || salt === null || completeUntil === null || !isSigned(checkpoint, [leafIndex]))
    return 'pending';
  const [proof = []] = await inclusionProofs(db, [leafIndex], checkpoint.treeSize);
  const place = { previous, completeUntil: completeUntil.getTime() };
  const fact: Fact = JSON.parse(eventFactText(event, place, salt));
  // The address may have it in upper case; the fact has not.
  return {
    eventId: event.eventId,
    leafIndex,
    salt: salt.toString('base64'),
    fact,
    proof,
    checkpoint: checkpoint.note,
  };
}

export function isSigned(
  checkpoint: PublishedCheckpoint | null,
  leafIndexes: readonly number[],
): checkpoint is PublishedCheckpoint {
  return checkpoint !== null && leafIndexes.every((leafIndex) => leafIndex < checkpoint.treeSize);
}

/** How long a write waits for its receipt. */
const WAIT_MS = 5000;
const LOOK_EVERY_MS = 100;

/** The receipt of an event that was just committed; null if it takes too long. */
export async function awaitReceipt(db: Queryable, platformId: string, eventId: string) {
  for (const untilMs = performance.now() + WAIT_MS; ; await pause(LOOK_EVERY_MS)) {
    const receipt = await findReceipt(db, platformId, eventId);
    if (receipt !== 'pending') return receipt;
    if (performance.now() > untilMs) return null;
  }
}

/** Throws NOT_LOGGED_YET, with what is missing. */
export async function failNotLogged(db: Queryable): Promise<never> {
  const message = whatIsMissing(await readLogState(db));
  return fail('NOT_LOGGED_YET', { ...(message && { message }), headers: { 'Retry-After': '2' } });
}

function whatIsMissing({ halted, signedSize, publishedSize }: LogState): string | undefined {
  if (halted !== null) return 'The transparency log has stopped signing. The operator has to repair it.';
  if (publishedSize < signedSize)
    return `The newest checkpoint waits for the cosignatures of witnesses: ${publishedSize} facts are published, ${signedSize} signed.`;
  return undefined;
}
