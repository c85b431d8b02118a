import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { DAY_MS } from '#domain/timestamp.js';
import { type ApiClient, createApiClient } from './apiClient.js';

/**
 * An outcome as a platform reports it. Default: a kept agreement of MEDIUM stake, verified on the
 * platform's word.
 */
export interface Job {
  eventType?: 'CONTRACT_FULFILLED' | 'CONTRACT_BREACHED';
  stakeLevel?: 'HIGH' | 'MEDIUM' | 'LOW';
  completedAt: string;
  dueDate?: string;
  transactionValue?: number;
}

interface ConfirmedJob extends Job {
  verifiedBy: string;
}

/** One subject of the platform, and every way in which an outcome of it can be reported. */
export type Subject = ReturnType<typeof subjectOf>;

export type Market = (userId: string) => Subject;

/** The default limit of a batch and of an ingest. */
const BATCH = 100;
const WAIT_MS = 100;

const Batch = z.object({ createdCount: z.number(), failedCount: z.literal(0) });
const Import = z.object({ id: z.string() });
const ImportStatus = z.object({ status: z.string(), createdCount: z.number() });
const Asked = z.object({ confirmation: z.object({ id: z.string() }), confirmationToken: z.string() });
const Score = z.object({ finalScore: z.number(), totalEvents: z.number() });
const Risk = z.object({
  signals: z.array(z.object({ code: z.string(), severity: z.string() })),
  concentration: z.object({ cappedScore: z.number() }),
});

const FIELDS = [
  'userId',
  'eventType',
  'stakeLevel',
  'isVerified',
  'verifiedBy',
  'completedAt',
  'dueDate',
  'transactionValue',
];
const MAPPING = Object.fromEntries(FIELDS.map((name) => [name, { path: name }]));
const CSV_MAPPING = { ...MAPPING, isVerified: { path: 'isVerified', transform: 'boolean' } };

/** A platform of its own on a running service. */
export async function openMarket(url: string, adminSecret: string): Promise<Market> {
  const operator = createApiClient(url, { 'X-Admin-Secret': adminSecret });
  const Created = z.object({ keys: z.object({ live: z.object({ key: z.string() }) }) });
  const body = { name: 'Market', trustTier: 'GROWTH', plan: 'enterprise' };
  const { key } = (await operator('POST', '/admin/platforms', Created, { body })).keys.live;
  const call = createApiClient(url, { Authorization: `Bearer ${key}` });
  const counterparty = createApiClient(url, {});
  return (userId) => subjectOf(userId, call, counterparty);
}

function subjectOf(userId: string, call: ApiClient, counterparty: ApiClient) {
  const dates: number[] = [];
  let events = 0;
  let confirmations = 0;

  const note = (jobs: readonly Job[]) => {
    dates.push(...jobs.map(({ completedAt }) => Date.parse(completedAt)));
    return jobs.map((job) => ({ eventType: 'CONTRACT_FULFILLED', ...job, userId, isVerified: true }));
  };
  return {
    id: userId,
    /** Verified on the platform's word. */
    async report(jobs: readonly Job[]): Promise<void> {
      for (const batch of chunks(note(jobs))) {
        events += (await call('POST', '/events/batch', Batch, { body: { events: batch } })).createdCount;
      }
    },
    /** The platform names who confirmed each. */
    async reportConfirmed(jobs: readonly ConfirmedJob[]): Promise<void> {
      for (const records of chunks(note(jobs))) {
        const body = { records, mapping: MAPPING };
        events += (await call('POST', '/ingest', Batch, { body })).createdCount;
      }
    },
    async import(jobs: readonly ConfirmedJob[]): Promise<void> {
      const rows = note(jobs).map((row) => FIELDS.map((name) => String(row[name as keyof typeof row] ?? '')));
      const csv = [FIELDS, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
      const made = await call('POST', '/imports', Import, { body: { csv, mapping: CSV_MAPPING } });
      for (;;) {
        const { status, createdCount } = await call('GET', `/imports/${made.id}`, ImportStatus);
        if (status === 'FAILED') throw new Error('the import failed');
        if (status === 'COMPLETED') {
          if (createdCount !== jobs.length) throw new Error(`the import recorded ${createdCount} rows`);
          events += createdCount;
          return;
        }
        await pause(WAIT_MS);
      }
    },
    /** Answered by the counterparty from its own network, or from the asker's. */
    async confirm(job: Job, counterpartyRef: string, network: 'own' | 'of the asker' = 'own'): Promise<void> {
      note([job]);
      const asking = {
        eventType: 'CONTRACT_FULFILLED',
        ...job,
        userId,
        counterpartyRef,
        description: 'A job',
      };
      const asked = await call('POST', '/confirmations', Asked, { body: asking });
      const body = { token: asked.confirmationToken, decision: 'confirm' };
      const headers = network === 'own' ? { 'X-Forwarded-For': addressOf(counterpartyRef) } : undefined;
      const path = `/confirmations/${asked.confirmation.id}/respond`;
      await counterparty('POST', path, z.unknown(), { body, ...(headers && { headers }) });
      events += 1;
      confirmations += 1;
    },
    /** Days: from the first to the last date that the outcomes bear. */
    cost: () => ({
      events,
      confirmations,
      days: dates.length === 0 ? 0 : Math.round((Math.max(...dates) - Math.min(...dates)) / DAY_MS),
    }),
    /** Waits until the score counts everything. */
    async read() {
      for (;;) {
        const score = await call('GET', `/users/${userId}/score`, Score).catch(() => null);
        if (score?.totalEvents === events) {
          const { signals, concentration } = await call('GET', `/users/${userId}/risk`, Risk);
          return { finalScore: score.finalScore, cappedScore: concentration.cappedScore, signals };
        }
        await pause(WAIT_MS);
      }
    },
  };
}

/** A network for each party, of those that are reserved for tests (RFC 2544). */
function addressOf(name: string): string {
  const sum = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 65_536, 7);
  return `198.18.${sum >> 8}.${sum & 255}`;
}

function chunks<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length; start += BATCH) parts.push(items.slice(start, start + BATCH));
  return parts;
}
