import type { ScoreBand } from '@reliability/scoring';
import type { TestService } from '#harness/service.js';
import { mint } from '../features/sharing/sharingFixtures.js';
import { type Alias, alias } from '../features/subjects/linkFixtures.js';
import { settledLog } from '../ledger/log/logDeps.js';

const HOUR_MS = 60 * 60 * 1000;

/** So many verified agreements of one kind. Kept ones are on time. */
function confirmed(eventType: string, count: number, now: Date): object[] {
  return Array.from({ length: count }, (_, index) => {
    const completedAt = new Date(now.getTime() - (index + 1) * HOUR_MS).toISOString();
    const dates = eventType === 'CONTRACT_BREACHED' ? {} : { completedAt, dueDate: now.toISOString() };
    return { eventType, isVerified: true, ...dates };
  });
}

/** The events that bring a new record into a band. */
function eventsFor(band: ScoreBand, now: Date): object[] {
  if (band === 'High Risk') return confirmed('CONTRACT_BREACHED', 3, now);
  const counts = { Excellent: 20, Good: 10, Fair: 4, Building: 2, Unproven: 1 };
  return confirmed('CONTRACT_FULFILLED', counts[band], now);
}

let count = 0;

/** A new subject with these events, with its score computed and logged. */
export async function someone(service: TestService, events: readonly object[] = []): Promise<Alias> {
  count += 1;
  const of = await alias(service, `worker-${count}`, []);
  await addEvents(service, of, events);
  return of;
}

export async function addEvents(
  service: TestService,
  { platform, userId }: Alias,
  events: readonly object[],
): Promise<void> {
  if (events.length > 0) {
    const body = { events: events.map((event) => ({ userId, ...event })) };
    await service.request('POST', '/events/batch', { key: platform.live.key, body });
  }
  await service.settle();
  await settledLog(service.db);
}

/** Kept agreements that these parties confirmed. */
export async function reportConfirmed(
  service: TestService,
  { platform, userId }: Alias,
  attesters: readonly string[],
): Promise<void> {
  const records = attesters.map((verifiedBy) => ({
    userId,
    eventType: 'CONTRACT_FULFILLED',
    isVerified: true,
    verifiedBy,
  }));
  const names = ['userId', 'eventType', 'isVerified', 'verifiedBy'];
  const mapping = Object.fromEntries(names.map((name) => [name, { path: name }]));
  await service.request('POST', '/ingest', { key: platform.live.key, body: { records, mapping } });
  await service.settle();
}

/** A subject in a band, and its share token. */
export async function inBand(
  service: TestService,
  band: ScoreBand,
  now = new Date(),
): Promise<{ of: Alias; token: string }> {
  const of = await someone(service, eventsFor(band, now));
  return { of, token: await mint(service, of) };
}

/** A subject with a share token but no score: an agent without events. */
export async function unscored(service: TestService): Promise<{ of: Alias; token: string }> {
  const of = await someone(service);
  await service.request('POST', '/agents', { key: of.platform.live.key, body: { userId: of.userId } });
  return { of, token: await mint(service, of) };
}
