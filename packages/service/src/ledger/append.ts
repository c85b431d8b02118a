import { ServiceError, serviceError } from '../domain/errors.js';
import type { OutcomeEvent, Reporter } from '../domain/outcomeEvent.js';
import type { Clock } from '../kit/clock.js';
import { type Database, isDatabaseUnavailable, type Tx } from '../kit/db/database.js';
import { isConflict } from '../kit/db/errors.js';
import { createGatherer } from '../kit/gather.js';
import type { IdempotencyClaim } from '../kit/http/route.js';
import type { IdSource } from '../kit/ids.js';
import { createdOutcome, stampEvents, writeKeyed, writeUnkeyed } from './appendGroup.js';
import type { IdempotencyRow } from './appendStore.js';
import { assertSameRequest, type ClaimsUnderWay, findClaims } from './idempotency.js';
import { createOwnSubjects, isOwnMismatch, type OwnSubjects } from './ownSubjects.js';
import type { EventOutcome, StampedEvent } from './stampedEvent.js';

/** One request to write events, done whole or not at all. */
export interface AppendRequest {
  readonly reporter: Reporter;
  readonly events: readonly OutcomeEvent[];
  readonly claim: IdempotencyClaim | null;
  /** Nobody but the reporter says which of the events are verified: on subjects of its own that counts for nothing (INTERFACE 1.7). */
  readonly isReportersWord?: boolean | undefined;
  /** Status and content kept under the claim; from it the answer of a replay is rendered. */
  remember(outcomes: readonly EventOutcome[]): { status: number; answer: unknown };
}

/** `recorded`: committed at `createdAt`. `replayed`: the claim was used before, and this was remembered then. */
export type AppendAnswer =
  | { readonly kind: 'recorded'; readonly createdAt: Date; readonly outcomes: readonly EventOutcome[] }
  | { readonly kind: 'replayed'; readonly remembered: unknown };

/** The only way an event gets into the ledger. */
export interface Ledger {
  /** Shares one transaction with whatever arrives at the same time; resolves when it has committed. */
  append(request: AppendRequest): Promise<AppendAnswer>;
  /** For callers that hold a transaction: written when it commits, the recompute worker finds it by itself. */
  appendIn(tx: Tx, reporter: Reporter, events: readonly OutcomeEvent[]): Promise<readonly EventOutcome[]>;
  /** Resolves when everything taken so far is committed or refused. */
  idle(): Promise<void>;
  /** True while more requests are under way than a quiet service ever has. */
  isPressed(): boolean;
}

interface LedgerParts {
  db: Database;
  clock: Clock;
  ids: IdSource;
  claims: ClaimsUnderWay;
  /** How long a dispute stays open that a TRANSACTION_DISPUTED event opens (DECISIONS 6). */
  disputeWindowMs: number;
  onAppended(eventCount: number): void;
}

/** Events per transaction: past this a group takes longer without costing less per event. */
const MAX_GROUP_EVENTS = 1000;
/** Requests in line before new ones are shed: some seconds of work. */
const MAX_WAITING_REQUESTS = 20_000;
/** Requests waiting or being written from which on the rest of the process makes way. */
const PRESSED_FROM_REQUESTS = 32;
const MAX_ATTEMPTS = 4;

interface GroupParts extends LedgerParts {
  ownSubjects: OwnSubjects;
}

export function createLedger(given: LedgerParts): Ledger {
  const parts: GroupParts = { ...given, ownSubjects: createOwnSubjects(given.db) };
  const lane = createGatherer<AppendRequest, AppendAnswer>({
    run: (requests) => runGroup(parts, requests),
    weigh: (request) => 1 + request.events.length,
    maxWeight: MAX_GROUP_EVENTS,
    // One at a time: stamped in the order they commit, so that no page of the export can pass a group (settledPage).
    concurrency: 1,
    maxWaiting: MAX_WAITING_REQUESTS,
    refuse: () => serviceError('OVERLOADED'),
  });
  return {
    append: (request) => parts.claims.during(request.claim, () => lane.submit(request)),
    appendIn: (tx, reporter, events) => {
      const now = parts.clock.now();
      // What is written here stands on more than its reporter's word.
      return writeKeyed(tx, now, stampEvents(reporter, events, { ...parts, createdAt: now }), () => []);
    },
    idle: () => lane.idle(),
    isPressed: () => lane.pending >= PRESSED_FROM_REQUESTS,
  };
}

type GroupAnswer = AppendAnswer | Error;

async function runGroup(parts: GroupParts, requests: readonly AppendRequest[]): Promise<GroupAnswer[]> {
  try {
    return await writeGroup(parts, requests);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    // One bad neighbour must not harm the rest, nor a key that another process has just used: each on its own, in turn.
    const answers: GroupAnswer[] = [];
    for (const request of requests) {
      const [answer] = await writeGroup(parts, [request]).catch((alone: unknown) => [asError(alone)]);
      answers.push(answer ?? new Error('a group of one gave no answer'));
    }
    return answers;
  }
}

async function writeGroup(parts: GroupParts, requests: readonly AppendRequest[]): Promise<GroupAnswer[]> {
  const replays = await findReplays(parts.db, requests);
  const fresh = replays.size === 0 ? requests : requests.filter((request) => !replays.has(request));
  const recorded = await record(parts, fresh);
  let next = 0;
  return requests.map(
    (request) => replays.get(request) ?? recorded[next++] ?? new Error('a request was lost'),
  );
}

/** Claims that were used before answer from memory, or refuse a different request under the same key. */
async function findReplays(
  db: Database,
  requests: readonly AppendRequest[],
): Promise<Map<AppendRequest, GroupAnswer>> {
  const replays = new Map<AppendRequest, GroupAnswer>();
  const keyIds = requests.flatMap(({ claim }) => (claim ? [claim.keyId] : []));
  if (keyIds.length === 0) return replays;
  const known = await findClaims(db, keyIds);
  for (const request of requests) {
    const stored = request.claim && known.get(request.claim.keyId);
    if (!stored || !request.claim) continue;
    try {
      assertSameRequest(stored, request.claim);
      replays.set(request, { kind: 'replayed', remembered: stored.answer });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      replays.set(request, error);
    }
  }
  return replays;
}

async function record(parts: GroupParts, requests: readonly AppendRequest[]): Promise<AppendAnswer[]> {
  if (requests.length === 0) return [];
  const { createdAt, outcomes } = await writeStamped(parts, requests);
  parts.onAppended(outcomes.filter((outcome) => outcome.status === 'created').length);
  return shareOut(requests, outcomes).map((own) => ({ kind: 'recorded', createdAt, outcomes: own }));
}

/** Written by what is remembered of the subjects, and again by what they are, where the two differ. */
async function writeStamped(parts: GroupParts, requests: readonly AppendRequest[]) {
  let stamped = stampAll(parts, requests);
  if (await parts.ownSubjects.lookUp(stamped.events)) stamped = stampAll(parts, requests);
  for (let attempt = 1; ; attempt += 1) {
    const { createdAt, events } = stamped;
    try {
      return { createdAt, outcomes: await write(parts.db, createdAt, requests, events) };
    } catch (error) {
      if (!isOwnMismatch(error) || attempt === MAX_ATTEMPTS) throw error;
      await parts.ownSubjects.lookUpAnew(events);
      stamped = stampAll(parts, requests);
    }
  }
}

function stampAll(parts: GroupParts, requests: readonly AppendRequest[]) {
  const createdAt = parts.clock.now();
  const { ownSubjects: own } = parts;
  const events = requests.flatMap(({ reporter, events, isReportersWord }) =>
    stampEvents(reporter, events, { ...parts, createdAt, ...(isReportersWord && { own }) }),
  );
  return { createdAt, events };
}

/** With item keys in the group their fate has to be known before the events are written; without, one statement does. */
async function write(
  db: Database,
  now: Date,
  requests: readonly AppendRequest[],
  events: readonly StampedEvent[],
): Promise<readonly EventOutcome[]> {
  const claimsOf = (outcomes: readonly EventOutcome[]) => claimRows(requests, outcomes);
  if (events.some(({ event }) => event.itemKey !== null)) {
    return db.transaction((tx) => writeKeyed(tx, now, events, claimsOf));
  }
  const outcomes = events.map(createdOutcome);
  const claims = claimsOf(outcomes);
  await retryingDeadlocks(() => writeUnkeyed(db, now, events, claims));
  return outcomes;
}

async function retryingDeadlocks(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function claimRows(requests: readonly AppendRequest[], outcomes: readonly EventOutcome[]): IdempotencyRow[] {
  const shares = shareOut(requests, outcomes);
  return requests.flatMap(({ claim, remember }, index) => {
    if (!claim) return [];
    const { keyId, platformId, livemode, fingerprint } = claim;
    return [{ keyId, platformId, livemode, fingerprint, ...remember(shares[index] ?? []) }];
  });
}

/** Cuts the outcomes of a group back into those of each request. */
function shareOut(requests: readonly AppendRequest[], outcomes: readonly EventOutcome[]): EventOutcome[][] {
  let start = 0;
  return requests.map(({ events }) => {
    const own = outcomes.slice(start, start + events.length);
    start += events.length;
    return own;
  });
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
