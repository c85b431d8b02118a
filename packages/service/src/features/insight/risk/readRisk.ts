import { fail } from '../../../domain/errors.js';
import { detectRisk } from '../../../domain/riskSignals/detectRisk.js';
import { countBy, type RiskEvent, type RiskFacts } from '../../../domain/riskSignals/riskFacts.js';
import { partyKeyOf } from '../../../domain/sameParty.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { confirmationsAround } from './confirmationsAround.js';
import type { Risk } from './schemas.js';
import { countAnswers, countOwnEvents, findLatestEvents, type RiskEventRow } from './store.js';

export type RiskDeps = Pick<ServiceDeps, 'db' | 'clock'>;

/** Only the latest events are analyzed; the evidence says how many. */
const MAX_EVENTS = 1000;

/** GET /users/{id}/risk: signs of gaming in the caller's own events of a subject. Never affects a score. */
export async function readRisk({ db, clock }: RiskDeps, context: UserContext): Promise<Risk> {
  const subjectId = subjectOf(context);
  const [eventsOnRecord, latest, answers] = await Promise.all([
    countOwnEvents(db, subjectId),
    findLatestEvents(db, subjectId, MAX_EVENTS),
    countAnswers(db, subjectId, MAX_EVENTS),
  ]);
  if (eventsOnRecord === null) return fail('USER_NOT_FOUND');
  // Only reported events are analyzed: disputes that lapse together, for example, are no burst.
  const rows = latest.filter((row) => !row.isEngine);
  const { owner, params } = context;
  const self = partyKeyOf(params.id);
  const keyOf = partyKeys();
  const events = rows.map((row) => riskEventOf(row, self, keyOf));
  const around = await confirmationsAround(db, owner, self, attestersOf(rows));
  // The count was read in another statement, so the events may be one more.
  const onRecord = Math.max(eventsOnRecord - (latest.length - rows.length), events.length);
  const facts: RiskFacts = { self, events, eventsOnRecord: onRecord, ...around, answers, now: clock.now() };
  const { level, signals } = detectRisk(facts);
  return { userId: params.id, level, advisory: true, signals };
}

/** Caches keys: many events name few parties. */
function partyKeys(): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const key = known.get(name) ?? partyKeyOf(name);
    known.set(name, key);
    return key;
  };
}

function riskEventOf(row: RiskEventRow, self: string, keyOf: (name: string) => string): RiskEvent {
  const key = row.attester === null ? '' : keyOf(row.attester);
  return {
    eventType: row.eventType,
    stakeLevel: row.stakeLevel,
    isVerified: row.isVerified,
    transactionValue: row.transactionValue,
    dueDate: row.dueDate,
    completedAt: row.completedAt,
    createdAt: row.createdAt,
    imported: row.imported,
    attester: key === '' || key === self ? null : key,
  };
}

/** Names as written, the most frequent first. */
function attestersOf(rows: readonly RiskEventRow[]): string[] {
  return [...countBy(rows, ({ attester }) => attester)]
    .sort(([left, many], [right, more]) => more - many || (left < right ? -1 : 1))
    .map(([name]) => name);
}
