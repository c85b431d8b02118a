import { expect } from 'vitest';
import type { MonitorTerms, ScoreState } from '#domain/crossings.js';
import { BLANK_STATE } from '#domain/crossings.js';
import { type Envelope, envelopeSchema } from '#domain/envelopes/catalogue.js';
import type { MonitorTriggered, PolicyCrossed, PolicyTerms } from '#domain/envelopes/scoreEnvelopes.js';
import type { Database } from '#kit/db/database.js';
import { createIdSource } from '#kit/ids.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { reporter } from './deps.js';

const ids = createIdSource();

interface Owner {
  platformId?: string;
  livemode?: boolean;
  isActive?: boolean;
}

/** Creates a monitor of the tests' platform and returns its id. */
export async function addMonitor(
  db: Database,
  userId: string,
  terms: Partial<MonitorTerms>,
  { platformId = reporter.platformId, livemode = true, isActive = true }: Owner = {},
): Promise<string> {
  const id = ids.at(new Date());
  await db.execute(
    `insert into monitor (monitor_id, platform_id, livemode, subject_id, below_score, above_score, on_band_change,
       is_active, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now(), now())`,
    [
      id,
      platformId,
      livemode,
      subjectIdOf(platformId, livemode, userId),
      terms.belowScore ?? null,
      terms.aboveScore ?? null,
      terms.onBandChange ?? false,
      isActive,
    ],
  );
  return id;
}

/** Creates a policy of the tests' platform and returns its id. Default: about every subject. */
export async function addPolicy(
  db: Database,
  terms: Partial<PolicyTerms>,
  {
    platformId = reporter.platformId,
    livemode = true,
    isActive = true,
    userId,
  }: Owner & { userId?: string } = {},
): Promise<string> {
  const id = ids.at(new Date());
  await db.execute(
    `insert into policy (policy_id, platform_id, livemode, name, metric, direction, threshold, component, band, subject_id,
       is_active, created_at, updated_at)
     values ($1, $2, $3, 'Test', $4, $5, $6, $7, $8, $9, $10, now(), now())`,
    [
      id,
      platformId,
      livemode,
      terms.metric ?? 'score',
      terms.direction ?? 'below',
      terms.threshold ?? null,
      terms.component ?? null,
      terms.band ?? null,
      userId === undefined ? null : subjectIdOf(platformId, livemode, userId),
      isActive,
    ],
  );
  return id;
}

/** Every envelope about a subject in id order, each checked against its schema. */
export async function emittedOf(
  db: Database,
  userId: string,
  { platformId = reporter.platformId, livemode = true }: Owner = {},
): Promise<Envelope[]> {
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

export async function monitorsEmitted(
  db: Database,
  userId: string,
  of: Owner = {},
): Promise<MonitorTriggered[]> {
  const emitted = await emittedOf(db, userId, of);
  return emitted
    .filter(({ type }) => type === 'monitor.triggered')
    .map(({ data }) => data as MonitorTriggered);
}

export async function policiesEmitted(
  db: Database,
  userId: string,
  of: Owner = {},
): Promise<PolicyCrossed[]> {
  const emitted = await emittedOf(db, userId, of);
  return emitted
    .filter(({ type }) => type === 'policy.threshold_crossed')
    .map(({ data }) => data as PolicyCrossed);
}

/**
 * Every change of a subject's published figures: from the baseline to the first snapshot, then from
 * each snapshot to the next.
 */
export async function stepsOf(
  db: Database,
  userId: string,
  livemode = true,
): Promise<{ before: ScoreState; after: ScoreState }[]> {
  const states = await db.query<ScoreState>(
    `select final_score as score, score_band as band, verified_events, components
     from score_snapshot where subject_id = $1 order by snapshot_no`,
    [subjectIdOf(reporter.platformId, livemode, userId)],
  );
  return states.map((after, index) => ({ before: states[index - 1] ?? BLANK_STATE, after }));
}
