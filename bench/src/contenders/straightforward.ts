import { tallyCodeOf, tallyKeyOf } from '@reliability/scoring';
import Fastify from 'fastify';
import pg from 'pg';
import type { OutcomeEvent, Reporter } from '../../../packages/service/src/domain/outcomeEvent.js';
import { readOutcomeEvent } from '../../../packages/service/src/domain/readOutcomeEvent.js';
import { hashOfSecret } from '../../../packages/service/src/kit/crypto.js';
import { createIdSource } from '../../../packages/service/src/kit/ids.js';
import { subjectIdOf } from '../../../packages/service/src/ledger/subjectId.js';

// The obvious implementation: the same checks and the same rows, one transaction per request. It does not recompute scores, which
// saves it work that the service does. Arguments: port, database that the service has prepared.
const [port, connectionString] = process.argv.slice(2);

const pool = new pg.Pool({ connectionString, max: 10 });
const ids = createIdSource();
const app = Fastify();

app.get('/health/ready', () => ({ status: 'ready' }));
app.post('/api/v1/events', async (request, reply) => {
  const reporter = await findReporter(request.headers.authorization ?? '');
  if (!reporter) return reply.code(401).send({ error: { code: 'UNAUTHORIZED' } });
  const now = new Date();
  const read = readOutcomeEvent(request.body, { livemode: reporter.livemode, now });
  if ('refusal' in read) return reply.code(422).send({ error: { code: 'VALIDATION_ERROR' } });
  const eventId = await record(reporter, read.event, now);
  return reply.code(201).send({ eventId, event: { id: eventId, ...read.event }, warnings: read.warnings });
});
app.get<{ Params: { id: string } }>('/api/v1/users/:id/score', async (request, reply) => {
  const reporter = await findReporter(request.headers.authorization ?? '');
  if (!reporter) return reply.code(401).send({ error: { code: 'UNAUTHORIZED' } });
  const subjectId = subjectIdOf(reporter.platformId, reporter.livemode, request.params.id);
  const { rows } = await pool.query(SELECT_SCORE, [subjectId]);
  return rows[0] ?? reply.code(404).send({ error: { code: 'USER_NOT_FOUND' } });
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.once('SIGTERM', () => process.exit(0));

async function findReporter(authorization: string): Promise<Reporter | undefined> {
  const { rows } = await pool.query<Reporter>(
    `select p.platform_id as "platformId", k.livemode, p.trust_tier as "trustTier"
     from api_key k join platform p using (platform_id)
     where k.key_hash = $1 and k.is_active and p.is_active`,
    [hashOfSecret(authorization.replace('Bearer ', ''))],
  );
  return rows[0];
}

async function record(reporter: Reporter, event: OutcomeEvent, now: Date): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const eventId = await insertRows(client, reporter, event, now);
    await client.query('commit');
    return eventId;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function insertRows(
  client: pg.PoolClient,
  reporter: Reporter,
  event: OutcomeEvent,
  now: Date,
): Promise<string> {
  const { platformId, livemode, trustTier } = reporter;
  const subjectId = subjectIdOf(platformId, livemode, event.externalId);
  const eventId = ids.at(now);
  const { rows } = await client.query<{ event_count: number; record_id: string }>(UPSERT_SUBJECT, [
    subjectId,
    platformId,
    livemode,
    event.externalId,
    event.completedAt ?? now,
    now,
  ]);
  await client.query(INSERT_EVENT, [
    subjectId,
    eventId,
    platformId,
    livemode,
    rows[0]?.event_count,
    event.eventType,
    event.stakeLevel,
    event.isVerified,
    trustTier,
    event.dueDate,
    event.completedAt,
    now,
  ]);
  const { metadata, transactionValue } = event;
  if (metadata !== null || transactionValue !== null) {
    await client.query(INSERT_TEXT, [subjectId, eventId, metadata, transactionValue]);
  }
  const tally = tallyKeyOf({ ...event, platformTier: trustTier, createdAt: now });
  await client.query(UPSERT_TALLY, [subjectId, tally.day, tallyCodeOf(tally)]);
  await client.query('insert into recompute_queue (record_id, enqueued_at) values ($1, $2)', [
    rows[0]?.record_id,
    now,
  ]);
  return eventId;
}

const UPSERT_SUBJECT = `
insert into subject as held
  (subject_id, platform_id, livemode, external_id, record_id, event_count, last_activity_at, registered_at)
values ($1, $2, $3, $4, $1, 1, $5, $6)
on conflict (subject_id) do update set
  event_count = held.event_count + 1,
  last_activity_at = greatest(held.last_activity_at, excluded.last_activity_at)
returning event_count, record_id`;

const INSERT_EVENT = `
insert into event
  (subject_id, event_id, platform_id, livemode, position, event_type, stake_level, is_verified, platform_tier,
   due_date, completed_at, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

const INSERT_TEXT = `
insert into event_text (subject_id, event_id, metadata, transaction_value) values ($1, $2, $3, $4)`;

const UPSERT_TALLY = `
insert into tally as held (subject_id, day, code, count) values ($1, $2, $3, 1)
on conflict (subject_id, day, code) do update set count = held.count + 1`;

const SELECT_SCORE = `
select final_score, score_band, confidence, confidence_label, behavioral_quality, total_events, verified_events,
  frozen_at is not null as frozen, formula_version, computed_at
from score where subject_id = $1`;
