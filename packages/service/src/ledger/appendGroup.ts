import type { OutcomeEvent, Reporter } from '../domain/outcomeEvent.js';
import { derivedUuid, sha256 } from '../kit/crypto.js';
import type { Queryable, Tx } from '../kit/db/database.js';
import type { IdSource } from '../kit/ids.js';
import { type IdempotencyRow, insertGroup } from './appendStore.js';
import { findItemKeys, type ItemKeyRow, takeItemKeys } from './itemKeyStore.js';
import type { EventOutcome, StampedEvent } from './stampedEvent.js';
import { subjectIdOf } from './subjectId.js';

/** Gives each event its subject, id and moment of writing. */
export function stampEvents(
  reporter: Reporter,
  events: readonly OutcomeEvent[],
  createdAt: Date,
  ids: IdSource,
): StampedEvent[] {
  return events.map((event) => ({
    event,
    reporter,
    subjectId: subjectIdOf(reporter.platformId, reporter.livemode, event.externalId),
    eventId: ids.at(createdAt),
    createdAt,
  }));
}

/** Writes events none of which carries an item key: one statement, so one transaction of its own if need be. */
export async function writeUnkeyed(
  db: Queryable,
  now: Date,
  events: readonly StampedEvent[],
  claims: readonly IdempotencyRow[],
): Promise<void> {
  if (events.length > 0 || claims.length > 0) await insertGroup(db, now, events, claims);
}

/**
 * Writes the events whose item keys are free, and says of each what became of it.
 * @param claimsOf rows to write beside them, made from the outcomes in the order of the events.
 */
export async function writeKeyed(
  tx: Tx,
  now: Date,
  events: readonly StampedEvent[],
  claimsOf: (outcomes: readonly EventOutcome[]) => readonly IdempotencyRow[],
): Promise<readonly EventOutcome[]> {
  const outcomes = await settleItemKeys(tx, events);
  const fresh = events.filter((_, index) => outcomes[index]?.status === 'created');
  await writeUnkeyed(tx, now, fresh, claimsOf(outcomes));
  return outcomes;
}

async function settleItemKeys(tx: Tx, events: readonly StampedEvent[]): Promise<EventOutcome[]> {
  const rows = events.map(itemKeyRowOf);
  const firstOfKey = new Map<string, ItemKeyRow>();
  for (const row of rows) if (row && !firstOfKey.has(row.keyId)) firstOfKey.set(row.keyId, row);
  const offered = [...firstOfKey.values()];
  const taken = await takeItemKeys(tx, offered);
  const known = await findItemKeys(
    tx,
    offered.map((row) => row.keyId).filter((keyId) => !taken.has(keyId)),
  );
  return events.map((stamped, index) => {
    const row = rows[index];
    if (!row) return createdOutcome(stamped);
    const first = known.get(row.keyId) ?? firstOfKey.get(row.keyId);
    if (!first || first.eventId === stamped.eventId) return createdOutcome(stamped);
    return {
      status: 'skipped',
      eventId: first.eventId,
      contentDiffers: !first.fingerprint.equals(row.fingerprint),
    };
  });
}

export function createdOutcome({ eventId }: StampedEvent): EventOutcome {
  return { status: 'created', eventId, contentDiffers: false };
}

function itemKeyRowOf({ event, reporter, subjectId, eventId }: StampedEvent): ItemKeyRow | null {
  if (event.itemKey === null) return null;
  const { platformId, livemode } = reporter;
  return {
    keyId: derivedUuid('item', platformId, livemode ? 'live' : 'test', event.itemKey),
    platformId,
    livemode,
    subjectId,
    eventId,
    fingerprint: contentHash(event),
  };
}

function contentHash(event: OutcomeEvent): Buffer {
  const { externalId, eventType, stakeLevel, isVerified, transactionValue, dueDate, completedAt, metadata } =
    event;
  return sha256(
    JSON.stringify([
      externalId,
      eventType,
      stakeLevel,
      isVerified,
      transactionValue,
      dueDate,
      completedAt,
      metadata,
    ]),
  );
}
