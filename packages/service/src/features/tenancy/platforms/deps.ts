import type { Clock } from '../../../kit/clock.js';
import type { Database, Queryable, Tx } from '../../../kit/db/database.js';
import { type IdSource, isUuid } from '../../../kit/ids.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';
import { failUnknownPlatform } from '../../../ledger/requests/knownPlatform.js';
import type { OutboxSignal } from '../../../outbox/outboxSignal.js';
import type { KeyUses } from './keyUses.js';
import { findPlatform, lockSettings, type Platform } from './store.js';

/** What the operations on platforms and keys work with. */
export interface PlatformDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  withIdempotency: WithIdempotency;
  keyUses: KeyUses;
  outbox: OutboxSignal;
  /** A change of keys or platforms made here holds from the next request on. */
  forgetKeys(): void;
}

/** An id of a path that can be looked up; anything else names no platform. */
export function platformIdOf({ id }: { id: string }): string {
  return isUuid(id) ? id : failUnknownPlatform();
}

export async function platformOf(db: Queryable, params: { id: string }): Promise<Platform> {
  return (await findPlatform(db, platformIdOf(params))) ?? failUnknownPlatform();
}

/** The platform as it is while keys are made for it: its settings stay, and nobody revokes what they descend from. */
export async function settingsOf(tx: Tx, platformId: string): Promise<Platform> {
  return (await lockSettings(tx, platformId)) ?? failUnknownPlatform();
}
