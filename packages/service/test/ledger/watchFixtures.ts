import { expect } from 'vitest';
import type { MonitorTerms, ScoreState } from '#domain/crossings.js';
import { BLANK_STATE } from '#domain/crossings.js';
import { type Envelope, envelopeSchema } from '#domain/envelopes/catalogue.js';
import type { MonitorTriggered, PolicyCrossed, PolicyTerms } from '#domain/envelopes/scoreEnvelopes.js';
import type { Database } from '#kit/db/database.js';
import { insertRow } from '#kit/db/rows.js';
import { createIdSource } from '#kit/ids.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { reporter } from './deps.js';

const ids = createIdSource();

const { platformId, livemode } = reporter;
type Columns = Partial<Record<'platformId', string> & Record<'livemode' | 'isActive', boolean>>;

/** Creates a monitor of the tests' platform and returns its id. */
export async function addMonitor(
  db: Database,
  userId: string,
  terms: Partial<MonitorTerms> & Columns,
): Promise<string> {
  const monitorId = ids.at(new Date());
  const watched = { platformId, livemode, subjectId: subjectIdOf(platformId, livemode, userId) };
  const times = { createdAt: new Date(), updatedAt: new Date() };
  await insertRow(db, 'monitor', { monitorId, ...watched, onBandChange: false, ...terms, ...times });
  return monitorId;
}

/** Creates a policy of the tests' platform and returns its id. Default: about every subject. */
export async function addPolicy(
  db: Database,
  terms: Partial<PolicyTerms> & Columns,
  userId?: string,
): Promise<string> {
  const policyId = ids.at(new Date());
  const subjectId = userId === undefined ? null : subjectIdOf(platformId, livemode, userId);
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const policy = { policyId, platformId, livemode, name: 'Test', subjectId, metric: 'score' };
  await insertRow(db, 'policy', { ...policy, ...terms, ...times });
  return policyId;
}

/** Every envelope about a subject in id order, each checked against its schema. */
export async function emittedOf(db: Database, userId: string): Promise<Envelope[]> {
  const rows = await db.query<{ body: string }>(
    'select body from envelope where platform_id = $1 and subject_id = $2 order by envelope_id',
    [platformId, subjectIdOf(platformId, livemode, userId)],
  );
  return rows.map(({ body }) => {
    const envelope = JSON.parse(body) as Envelope;
    const read = envelopeSchema(envelope.type).parse(envelope);
    // Parsing drops unknown fields; there must be none.
    expect(read).toEqual(envelope);
    return envelope;
  });
}

export async function monitorsEmitted(db: Database, userId: string): Promise<MonitorTriggered[]> {
  const emitted = await emittedOf(db, userId);
  return emitted.flatMap(({ type, data }) =>
    type === 'monitor.triggered' ? [data as MonitorTriggered] : [],
  );
}

export async function policiesEmitted(db: Database, userId: string): Promise<PolicyCrossed[]> {
  const emitted = await emittedOf(db, userId);
  return emitted.flatMap(({ type, data }) =>
    type === 'policy.threshold_crossed' ? [data as PolicyCrossed] : [],
  );
}

/**
 * Every change of a subject's published figures: from the baseline to the first snapshot, then from
 * each snapshot to the next.
 */
export async function stepsOf(
  db: Database,
  userId: string,
): Promise<{ before: ScoreState; after: ScoreState }[]> {
  const states = await db.query<ScoreState>(
    `select final_score as score, score_band as band, verified_events, components
     from score_snapshot where subject_id = $1 order by snapshot_no`,
    [subjectIdOf(platformId, livemode, userId)],
  );
  return states.map((after, index) => ({ before: states[index - 1] ?? BLANK_STATE, after }));
}
