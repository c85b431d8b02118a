import { ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api';
import type { Evidence } from '#domain/declaredSubject.js';
import { ServiceError, serviceError } from '#domain/errors.js';
import type { OutcomeEvent, Reporter } from '#domain/outcomeEvent.js';
import { createBatcher } from '#kit/batcher.js';
import type { Clock } from '#kit/clock.js';
import { type Database, isDatabaseUnavailable, type Queryable, type Tx } from '#kit/db/database.js';
import { ConflictError, isConflict } from '#kit/db/errors.js';
import type { IdempotencyClaim } from '#kit/http/route.js';
import type { IdSource } from '#kit/ids.js';
import { traceWork } from '#kit/tracing.js';
import { type ErasedSubjects, failErased } from '../erasure/erasedSubjects.js';
import { scoreNew } from '../recompute/recompute.js';
import { assertSameRequest, type ClaimsUnderWay, findClaims } from '../requests/idempotency.js';
import { subjectIdOf } from '../subjectId.js';
import {
  createdOutcome,
  type Reported,
  settleItemKeys,
  stampEvents,
  takeItemKeys,
  unusedItemKeys,
} from './group.js';
import {
  createKnownDeclarations,
  declarationsOf,
  isOutdated,
  type KnownDeclarations,
  type NamedSubject,
} from './knownDeclarations.js';
import {
  type EventOutcome,
  type IdempotencyRow,
  insertGroup,
  isOfErased,
  isOfUsedClaim,
  type StampedEvent,
} from './store.js';

export interface AppendRequest extends Reported {
  readonly claim: IdempotencyClaim | null;
  /** Status and content to store with the claim, from which a replay is answered. */
  remember(outcomes: readonly EventOutcome[]): { status: number; answer: unknown };
}

/** `recorded`: committed at `createdAt`. `replayed`: the claim was used before, with this stored answer. */
export type AppendAnswer =
  | { readonly kind: 'recorded'; readonly createdAt: Date; readonly outcomes: readonly EventOutcome[] }
  | { readonly kind: 'replayed'; readonly remembered: unknown };

export type Ledger = ReturnType<typeof createLedger>;

interface LedgerDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  claims: ClaimsUnderWay;
  erased: Pick<ErasedSubjects, 'refresh' | 'onErased'>;
  /** How long the dispute of a TRANSACTION_DISPUTED event stays open (RULES D3). */
  disputeWindowMs: number;
  onAppended(eventCount: number): void;
}

/** Events per transaction: above this, cost per event no longer falls. */
const MAX_GROUP_EVENTS = 1000;
/** Requests that keep arriving share a group: half as many groups under load. A single one never waits. */
const LINGER_MS = 2;
/** Waiting requests before new ones are refused: some seconds of work. */
const MAX_WAITING_REQUESTS = 20_000;
const MAX_ATTEMPTS = 4;

type GroupDeps = LedgerDeps & { declarations: KnownDeclarations };

/** The only way to write events. */
export function createLedger(given: LedgerDeps) {
  const declarations = createKnownDeclarations();
  given.erased.onErased(declarations.clear);
  const deps: GroupDeps = { ...given, declarations };
  const window = createBatcher<AppendRequest, AppendAnswer>({
    run: (requests) => traceGroup(requests, () => runGroup(deps, requests)),
    weigh: (request) => 1 + request.events.length,
    maxWeight: MAX_GROUP_EVENTS,
    lingerMs: LINGER_MS,
    // One group at a time: timestamps follow the order of commits, so that no export page skips a
    // group (settledPage).
    concurrency: 1,
    maxWaiting: MAX_WAITING_REQUESTS,
    refuse: () => serviceError('OVERLOADED'),
  });
  return {
    append(request: AppendRequest): Promise<AppendAnswer> {
      const span = trace.getActiveSpan();
      if (span) spans.set(request, span);
      return deps.claims.during(request.claim, () => window.submit(request));
    },
    /** What `append` would answer now. Reads alone; the ids of new events are of no event. */
    foresee: (request: AppendRequest) => foresee(deps, request),
    /**
     * For callers with an open transaction: the events commit with it, and the recompute worker finds
     * them by polling. If a subject is declared concurrently, the transaction fails like a
     * serialization conflict and is retried.
     */
    appendIn: (tx: Tx, reporter: Reporter, events: readonly OutcomeEvent[], evidence: Evidence) =>
      writeIn(tx, deps, { reporter, events, evidence }),
    idle: window.idle,
    /** Requests that wait or are being written. */
    get pending() {
      return window.pending;
    },
    get pendingEvents() {
      return window.pendingWeight - window.pending;
    },
  };
}

const spans = new WeakMap<AppendRequest, Span>();

/** A group is in the trace of its first request, with links to the others. */
function traceGroup<T>(requests: readonly AppendRequest[], run: () => Promise<T>): Promise<T> {
  const [first, ...others] = requests.flatMap((request) => spans.get(request) ?? []);
  if (!first) return run();
  const events = requests.reduce((sum, request) => sum + request.events.length, 0);
  const attributes = { 'ledger.requests': requests.length, 'ledger.events': events };
  const links = others.map((span) => ({ context: span.spanContext() }));
  return traceWork('append group', { links, attributes }, run, trace.setSpan(ROOT_CONTEXT, first));
}

async function foresee(deps: GroupDeps, request: AppendRequest): Promise<AppendAnswer> {
  const replay = (await findReplays(deps.db, [request])).get(request);
  if (replay instanceof Error) throw replay;
  if (replay) return replay;
  const createdAt = deps.clock.now();
  const declarations = await declarationsOf(deps.db, judgedSubjects([request]));
  const events = await stampEvents([request], { ...deps, declarations, createdAt });
  return { kind: 'recorded', createdAt, outcomes: await settleItemKeys(deps.db, events, unusedItemKeys) };
}

type GroupAnswer = AppendAnswer | Error;

async function runGroup(deps: GroupDeps, requests: readonly AppendRequest[]): Promise<GroupAnswer[]> {
  try {
    return await writeGroup(deps, requests);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    // One bad request, or a key that another process has just used, must not fail the group: each
    // request is retried alone.
    const answers: GroupAnswer[] = [];
    for (const request of requests) answers.push(await writeAlone(deps, request));
    return answers;
  }
}

/**
 * Another process can use the key of the request between the look-up and the write. Its answer is
 * committed by then, so the next look-up finds it.
 */
async function writeAlone(deps: GroupDeps, request: AppendRequest): Promise<GroupAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [answer] = await writeGroup(deps, [request]);
      return answer ?? new Error('the append of a single request returned no answer');
    } catch (error) {
      if (isOfUsedClaim(error) && attempt < MAX_ATTEMPTS) continue;
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}

async function writeGroup(deps: GroupDeps, requests: readonly AppendRequest[]): Promise<GroupAnswer[]> {
  const replays = await findReplays(deps.db, requests);
  const fresh = replays.size === 0 ? requests : requests.filter((request) => !replays.has(request));
  const { createdAt, outcomes } = await writeStamped(deps, fresh);
  deps.onAppended(outcomes.filter((outcome) => outcome.status === 'created').length);
  const outcomesOf = byRequest(fresh, outcomes);
  return requests.map(
    (request) =>
      replays.get(request) ?? { kind: 'recorded', createdAt, outcomes: outcomesOf.get(request) ?? [] },
  );
}

/** Used claims: the stored answer, or the error for a different request under the same key. */
async function findReplays(db: Database, requests: readonly AppendRequest[]) {
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

/** Judges verification by cached declarations; if they are outdated, reads them and tries again. */
async function writeStamped(deps: GroupDeps, requests: readonly AppendRequest[]) {
  for (let attempt = 1; ; attempt += 1) {
    await lookUp(deps.db, deps, requests);
    const createdAt = deps.clock.now();
    const events = await stampEvents(requests, { ...deps, createdAt });
    try {
      return { createdAt, outcomes: await write(deps, createdAt, requests, events) };
    } catch (error) {
      if (isOfErased(error)) {
        // By another process, just now.
        await deps.erased.refresh();
        failErased();
      }
      if (!isOutdated(error) || attempt === MAX_ATTEMPTS) throw error;
      deps.declarations.forget(judgedSubjects(requests));
    }
  }
}

async function writeIn(tx: Tx, deps: GroupDeps, written: Reported): Promise<readonly EventOutcome[]> {
  const { reporter } = written;
  // Without a lookup, the insert is pipelined behind the caller's earlier statements.
  if (deps.declarations.isDeclaring(reporter.platformId)) await lookUp(tx, deps, [written]);
  const now = deps.clock.now();
  const stamped = await inOrder(tx, () => stampCurrent(tx, deps, written, now));
  try {
    return await writeKeyed(tx, now, stamped, () => [], deps.ids);
  } catch (error) {
    if (isOfErased(error)) failErased();
    if (!isOutdated(error)) throw error;
    deps.declarations.forget(judgedSubjects([written]));
    throw new ConflictError('a subject of the append was declared concurrently', { cause: error });
  }
}

/** The last append of a transaction that had to be stamped. */
const lastOf = new WeakMap<Tx, Promise<unknown>>();

/** Stamping yields to requests: without order the statements of two appends could change places. */
function inOrder<T>(tx: Tx, stamp: () => Promise<T>): Promise<T> {
  const before = lastOf.get(tx);
  const stamped = before ? before.then(stamp, stamp) : stamp();
  lastOf.set(tx, stamped);
  return stamped;
}

/** A refusal writes nothing, so no statement would notice an outdated declaration: it is read again before. */
async function stampCurrent(tx: Tx, deps: GroupDeps, written: Reported, now: Date): Promise<StampedEvent[]> {
  const stamp = () => stampEvents([written], { ...deps, createdAt: now });
  try {
    return await stamp();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    deps.declarations.forget(judgedSubjects([written]));
    await lookUp(tx, deps, [written]);
    return stamp();
  }
}

async function lookUp(db: Queryable, { declarations }: GroupDeps, written: readonly Reported[]) {
  const ofDeclaring = written.filter(({ reporter }) => declarations.isDeclaring(reporter.platformId));
  if (ofDeclaring.length > 0) await declarations.lookUp(db, judgedSubjects(ofDeclaring));
}

function judgedSubjects(written: readonly Reported[]): NamedSubject[] {
  const subjects = written.flatMap(({ reporter: { platformId, livemode }, events, evidence }) => {
    const judged = evidence.by === 'engine' ? [] : events.filter((event) => event.isVerified);
    return [...new Set(judged.map((event) => event.externalId))].map((externalId) => ({
      subjectId: subjectIdOf(platformId, livemode, externalId),
      platformId,
      livemode,
    }));
  });
  return [...new Map(subjects.map((subject) => [subject.subjectId, subject])).values()];
}

/** Writes the events whose item keys are unused. The outcomes are in the order of the events. */
async function writeKeyed(
  tx: Tx,
  now: Date,
  events: readonly StampedEvent[],
  claimsOf: (outcomes: readonly EventOutcome[]) => readonly IdempotencyRow[],
  ids: IdSource,
): Promise<readonly EventOutcome[]> {
  const outcomes = await settleItemKeys(tx, events, takeItemKeys);
  const fresh = events.filter((_, index) => outcomes[index]?.status === 'created');
  const areImported = fresh.every(({ event }) => event.imported);
  const made = await insertGroup(tx, now, fresh, claimsOf(outcomes), areImported);
  if (made.length > 0) await scoreNew(tx, ids, now, made);
  return outcomes;
}

/** Without item keys one statement writes the group; otherwise the keys must be resolved before. */
async function write(
  { db, ids }: GroupDeps,
  now: Date,
  requests: readonly AppendRequest[],
  events: readonly StampedEvent[],
): Promise<readonly EventOutcome[]> {
  const claimsOf = (outcomes: readonly EventOutcome[]) => claimRows(requests, outcomes);
  if (events.some(({ event }) => event.itemKey !== null)) {
    return db.transaction((tx) => writeKeyed(tx, now, events, claimsOf, ids));
  }
  const outcomes = events.map(createdOutcome);
  const claims = claimsOf(outcomes);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await insertGroup(db, now, events, claims);
      return outcomes;
    } catch (error) {
      if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function claimRows(requests: readonly AppendRequest[], outcomes: readonly EventOutcome[]): IdempotencyRow[] {
  const outcomesOf = byRequest(requests, outcomes);
  return requests.flatMap((request) => {
    if (!request.claim) return [];
    const { keyId, platformId, livemode, fingerprint } = request.claim;
    return [{ keyId, platformId, livemode, fingerprint, ...request.remember(outcomesOf.get(request) ?? []) }];
  });
}

function byRequest(requests: readonly AppendRequest[], outcomes: readonly EventOutcome[]) {
  const own = new Map<AppendRequest, readonly EventOutcome[]>();
  let start = 0;
  for (const request of requests) {
    own.set(request, outcomes.slice(start, start + request.events.length));
    start += request.events.length;
  }
  return own;
}
