import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#kit/clock.js';
import type { Vault } from '#kit/crypto.js';
import type { Database, Reads } from '#kit/db/database.js';
import type { Wakes } from '#kit/db/wakes.js';
import type { IdSource } from '#kit/ids.js';
import type { OutboundFetch } from '#kit/outboundFetch.js';
import type { Ledger } from '#ledger/append/append.js';
import type { ErasedSubjects } from '#ledger/erasure/erasedSubjects.js';
import type { LoadConcentration } from '#ledger/profile/concentrations.js';
import type { LoadOutcomes } from '#ledger/profile/outcomeRecords.js';
import type { WithIdempotency } from '#ledger/requests/idempotency.js';
import type { Config } from '../start/config.js';

/**
 * What every feature can be built from; each takes what it uses: `Pick<ServiceDeps, 'db' |
 * 'clock'>`. What belongs to one room (issuer, share tokens, streams, sweeps) is declared by that
 * room.
 */
export interface ServiceDeps {
  /** The settings of this process, as `config.ts` read them. */
  config: Config;
  /** The database, embedded or a server; where there are ledger groups, the handle of one. */
  db: Database;
  /** The handles of all ledger groups, the first one first. */
  groups(): readonly Database[];
  /** Reads that may be some moments old: of a replica if there is one. */
  reads: Reads;
  /** The present. */
  clock: Clock;
  /** Makes UUIDv7 ids. */
  ids: IdSource;
  /** The log of the process; a request has its own in the handler's context. */
  log: FastifyBaseLogger;
  /** Seals secrets that are needed again, under DATA_KEY. */
  vault: Vault;
  /** The only way to write events. */
  ledger: Ledger;
  /** Ids under which nothing is read or written. */
  erased: ErasedSubjects;
  /**
   * Counts a record's outcomes by who confirmed them. One loader, because simultaneous reads share
   * its query.
   */
  loadOutcomes: LoadOutcomes;
  /** How far a record rests on few parties. One loader, because readers share its cache. */
  loadConcentration: LoadConcentration;
  /** Runs a write once per Idempotency-Key. */
  withIdempotency: WithIdempotency;
  /** Raised after commits: they wake loops here and in other processes. */
  wakes: Wakes;
  /** The same of every ledger group, by its number. Keys belong to group 0. */
  groupWakes: ReadonlyMap<number, Wakes>;
  /** Outgoing HTTP, behind the address guard. */
  outbound: OutboundFetch;
}
