import { z } from 'zod';
import { instant } from '#kit/http/query.js';

/**
 * The state of workers and outbox is read from the database, so it is unknown while that is
 * unavailable.
 */
export type Checks = z.output<typeof Checks>;
const Checks = z
  .object({
    database: z.object({
      status: z.enum(['ok', 'busy', 'failed', 'wrong_server']),
      latencyMs: z.number().nullable(),
      unreachableGroups: z.int().min(0).nullable(),
    }),
    worker: z.object({
      status: z.enum(['ok', 'lagging', 'absent', 'unknown']),
      lastBeatAt: instant.nullable(),
      queueLagSeconds: z.number().nullable(),
      failingRecords: z.int().min(0).nullable(),
    }),
    outbox: z.object({
      status: z.enum(['ok', 'lagging', 'unknown']),
      waitingSeconds: z.number().nullable(),
    }),
    log: z.object({
      status: z.enum(['ok', 'lagging', 'halted', 'contradicted', 'unknown']),
      treeSize: z.int().min(0).nullable(),
      signedSize: z.int().min(0).nullable(),
      publishedSize: z.int().min(0).nullable(),
      waitingSeconds: z.number().nullable(),
      unpublishedSeconds: z.number().nullable(),
      witnesses: z.array(
        z.object({
          key: z.string(),
          status: z.enum(['ok', 'failing', 'contradicting']),
          cosignedSize: z.int().min(0),
          cosignedAt: instant.nullable(),
        }),
      ),
    }),
  })
  .meta({ id: 'HealthChecks' });

/** Of a database that does not answer. */
export const NOT_CHECKED: Pick<Checks, 'worker' | 'outbox' | 'log'> = {
  worker: { status: 'unknown', lastBeatAt: null, queueLagSeconds: null, failingRecords: null },
  outbox: { status: 'unknown', waitingSeconds: null },
  log: {
    status: 'unknown',
    treeSize: null,
    signedSize: null,
    publishedSize: null,
    waitingSeconds: null,
    unpublishedSeconds: null,
    witnesses: [],
  },
};

export const Alive = z.object({ status: z.literal('ok') }).meta({ id: 'Alive' });

export type Ready = z.output<typeof Ready>;
export const Ready = z.object({ status: z.literal('ready'), checks: Checks }).meta({ id: 'Ready' });

export type NotReady = z.output<typeof NotReady>;
export const NotReady = z.object({ status: z.literal('degraded'), checks: Checks }).meta({ id: 'NotReady' });

export type Uptime = z.output<typeof Uptime>;
const Uptime = z
  .object({
    uptime: z.number().min(0).max(1).nullable(),
    samples: z.int().min(0),
  })
  .meta({ id: 'Uptime' });

export type Status = z.output<typeof Status>;
export const Status = z
  .object({
    status: z.enum(['operational', 'degraded', 'outage']),
    checks: Checks,
    history: z.object({ '24h': Uptime, '7d': Uptime }).nullable(),
    processes: z.object({
      configured: z.int().min(1),
      running: z.int().min(1),
    }),
    storage: z.object({
      engine: z.enum(['pglite', 'postgresql']),
      durability: z.string(),
    }),
  })
  .meta({ id: 'Status' });

export const OpenApi = z
  .looseObject({
    openapi: z.string(),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    paths: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'OpenApiDocument' });
