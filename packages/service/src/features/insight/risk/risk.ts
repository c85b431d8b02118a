import { z } from 'zod';
import { CappedConcentration } from '#domain/concentration.js';
import { fail } from '#domain/errors.js';
import { userPath } from '#domain/externalId.js';
import { detectRisk, riskLevels, riskSignalCodes } from '#domain/riskSignals/detectRisk.js';
import { countBy, type RiskEvent, severities } from '#domain/riskSignals/riskFacts.js';
import { partyKeyOf } from '#domain/sameParty.js';
import { tenureDaysOf, tenureFields } from '#domain/tenure.js';
import { ok } from '#kit/http/answer.js';
import { keyFor, type RouteTable, route } from '#kit/http/route.js';
import { findScoreBasis } from '#ledger/profile/concentrations.js';
import { subjectOf, type UserContext } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import {
  confirmationsAround,
  countAnswers,
  findLatestEvents,
  findRiskSubject,
  type RiskEventRow,
} from './riskFacts.js';

type Risk = z.output<typeof Risk>;
const Risk = z
  .object({
    userId: z.string(),
    level: z.enum(riskLevels),
    advisory: z.literal(true),
    signals: z.array(
      z.object({
        code: z.enum(riskSignalCodes),
        severity: z.enum(severities),
        title: z.string(),
        description: z.string(),
        evidence: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
      }),
    ),
    ...tenureFields,
    concentration: CappedConcentration.nullable(),
  })
  .meta({ id: 'Risk' });

type RiskDeps = Pick<ServiceDeps, 'db' | 'clock' | 'loadConcentration'>;

/** Only the latest events are analyzed; the evidence says how many. */
const MAX_EVENTS = 1000;

/** GET /users/{id}/risk: signs of gaming in the caller's own events of a subject. Never affects a score. */
async function readRisk(deps: RiskDeps, context: UserContext): Promise<Risk> {
  const { db, clock, loadConcentration } = deps;
  const subjectId = subjectOf(context);
  const [subject, latest, answers, basis] = await Promise.all([
    findRiskSubject(db, subjectId),
    findLatestEvents(db, subjectId, MAX_EVENTS),
    countAnswers(db, subjectId, MAX_EVENTS),
    findScoreBasis(db, subjectId),
  ]);
  if (!subject) return fail('USER_NOT_FOUND');
  // Only reported events are analyzed: disputes that lapse together, for example, are no burst.
  const rows = latest.filter((row) => !row.isEngine);
  const { owner, params } = context;
  const self = partyKeyOf(params.id);
  const keyOf = partyKeys();
  const events = rows.map((row) => riskEventOf(row, self, keyOf));
  const [around, concentration] = await Promise.all([
    confirmationsAround(db, owner, self, attestersOf(rows)),
    basis && loadConcentration(basis),
  ]);
  // The count was read in another statement, so the events may be one more.
  const eventsOnRecord = Math.max(subject.eventCount - (latest.length - rows.length), events.length);
  const { subjectType, registeredAt } = subject;
  const now = clock.now();
  const { level, signals } = detectRisk({
    self,
    subjectType,
    events,
    eventsOnRecord,
    ...around,
    answers,
    now,
  });
  const tenureDays = tenureDaysOf(registeredAt, now);
  return { userId: params.id, level, advisory: true, signals, registeredAt, tenureDays, concentration };
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

/** Advice beside a score (RULES R6). */
export function riskRoutes(deps: RiskDeps): RouteTable {
  return {
    'GET /users/{id}/risk': route({
      operationId: 'readRisk',
      access: keyFor('scores'),
      tag: 'Records',
      params: userPath,
      answers: { 200: Risk },
      errors: ['USER_NOT_FOUND'],
      handle: async (context) => ok(await readRisk(deps, context)),
    }),
  };
}
