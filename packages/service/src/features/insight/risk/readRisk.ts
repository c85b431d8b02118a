import { fail } from '../../../domain/errors.js';
import { detectRisk } from '../../../domain/riskSignals/detectRisk.js';
import { countBy, type RiskEvent, type RiskFacts } from '../../../domain/riskSignals/riskFacts.js';
import { partyKeyOf } from '../../../domain/sameParty.js';
import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import { confirmationsAround } from './confirmationsAround.js';
import { countAnswers, countOwnEvents, findLatestEvents, type RiskEventRow } from './store.js';

export interface RiskDeps {
  db: Database;
  clock: Clock;
}

/** More events than this are not looked at; the evidence says how many were. */
const MAX_EVENTS = 1000;

/** GET /users/{id}/risk: signs of gaming in the caller's own events of a subject. Writes nothing, moves no score. */
export async function readRisk({ db, clock }: RiskDeps, context: UserContext): Promise<Answer> {
  const subjectId = subjectOf(context);
  const [eventsOnRecord, latest, answers] = await Promise.all([
    countOwnEvents(db, subjectId),
    findLatestEvents(db, subjectId, MAX_EVENTS),
    countAnswers(db, subjectId, MAX_EVENTS),
  ]);
  if (eventsOnRecord === null) return fail('USER_NOT_FOUND');
  // Signs are looked for in what was reported: disputes that lapse together, say, are no burst.
  const rows = latest.filter((row) => !row.isEngine);
  const { caller, params } = context;
  const self = partyKeyOf(params.id);
  const keyOf = partyKeys();
  const events = rows.map((row) => riskEventOf(row, self, keyOf));
  const around = await confirmationsAround(db, caller, self, witnessesOf(rows));
  // The count was read beside the events: one more may have come between the two.
  const onRecord = Math.max(eventsOnRecord - (latest.length - rows.length), events.length);
  const facts: RiskFacts = { self, events, eventsOnRecord: onRecord, ...around, answers, now: clock.now() };
  const { level, signals } = detectRisk(facts);
  return ok({ userId: params.id, level, advisory: true, signals });
}

/** Few names stand behind many events: each is taken apart once. */
function partyKeys(): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const key = known.get(name) ?? partyKeyOf(name);
    known.set(name, key);
    return key;
  };
}

function riskEventOf(row: RiskEventRow, self: string, keyOf: (name: string) => string): RiskEvent {
  const key = row.witness === null ? '' : keyOf(row.witness);
  return {
    eventType: row.eventType,
    stakeLevel: row.stakeLevel,
    isVerified: row.isVerified,
    transactionValue: row.transactionValue,
    dueDate: row.dueDate,
    completedAt: row.completedAt,
    createdAt: row.createdAt,
    imported: row.imported,
    witness: key === '' || key === self ? null : key,
  };
}

/** Names as written, the most frequent first. */
function witnessesOf(rows: readonly RiskEventRow[]): string[] {
  return [...countBy(rows, ({ witness }) => witness)]
    .sort(([left, many], [right, more]) => more - many || (left < right ? -1 : 1))
    .map(([name]) => name);
}
