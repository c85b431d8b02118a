import { z } from 'zod';

const CHECKS_EXAMPLE = {
  database: { status: 'ok', latencyMs: 0.8 },
  worker: { status: 'ok', lastBeatAt: '2026-11-21T09:29:57.104Z', queueLagSeconds: 0, failingRecords: 0 },
  outbox: { status: 'ok', waitingSeconds: 0 },
};

const Checks = z
  .object({
    database: z.object({
      status: z.enum(['ok', 'busy', 'failed']).meta({
        description:
          '`failed` while the database does not answer, or is not yet prepared for this version. `busy`: all connections of ' +
          'this process have been in use for two seconds, so requests are refused with `OVERLOADED`.',
      }),
      latencyMs: z
        .number()
        .nullable()
        .meta({ description: 'How long one round trip took, in milliseconds.' }),
    }),
    worker: z.object({
      status: z.enum(['ok', 'lagging', 'absent', 'unknown']).meta({
        description:
          '`absent`: no worker has given a sign of life for 60 seconds. `lagging`: entries wait for more than 60 seconds.',
      }),
      lastBeatAt: z.iso.datetime().nullable().meta({ description: 'The last sign of life of any worker.' }),
      queueLagSeconds: z.number().nullable().meta({
        description: 'How long the first waiting entry has been waiting to be worked into a score.',
      }),
      failingRecords: z.int().min(0).nullable().meta({
        description:
          'Records whose score cannot be computed for a fault, up to 1000. Each is tried again by itself.',
      }),
    }),
    outbox: z.object({
      status: z.enum(['ok', 'lagging', 'unknown']).meta({
        description:
          '`lagging`: a delivery has been due for more than 60 seconds although its target takes what it is sent.',
      }),
      waitingSeconds: z.number().nullable().meta({
        description: 'How long the first delivery has been due whose target is not failing.',
      }),
    }),
  })
  .meta({ id: 'HealthChecks', description: 'What was found a moment ago.' });

export const Alive = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Alive', description: 'The process answers.', example: { status: 'ok' } });

export const Ready = z.object({ status: z.literal('ready'), checks: Checks }).meta({
  id: 'Ready',
  description: 'Requests can be served.',
  example: { status: 'ready', checks: CHECKS_EXAMPLE },
});

export const NotReady = z.object({ status: z.literal('degraded'), checks: Checks }).meta({
  id: 'NotReady',
  description: 'Requests would be refused: the database is away, not prepared, or busy.',
  example: {
    status: 'degraded',
    checks: {
      database: { status: 'failed', latencyMs: null },
      worker: { status: 'unknown', lastBeatAt: null, queueLagSeconds: null, failingRecords: null },
      outbox: { status: 'unknown', waitingSeconds: null },
    },
  },
});

const Uptime = z
  .object({
    uptime: z.number().min(0).max(1).nullable().meta({
      description:
        'Share of the minutes since the first sample of the window that have a good sample, from 0 to 1.',
    }),
    samples: z.int().min(0).meta({ description: 'Samples in the window, at most one a minute.' }),
  })
  .meta({ id: 'Uptime', description: 'Uptime over one window.' });

export const Status = z
  .object({
    status: z.enum(['operational', 'degraded', 'outage']).meta({
      description:
        '`degraded`: events are taken; scores, or what is told of them, follow late. `outage`: the database is away.',
    }),
    checks: Checks,
    history: z
      .object({ '24h': Uptime, '7d': Uptime })
      .nullable()
      .meta({ description: 'From a sample a minute; `null` while the database is away.' }),
    storage: z.object({
      engine: z.enum(['pglite', 'postgresql']),
      durability: z.string().meta({ description: 'What kind of crash acknowledged data survives.' }),
    }),
  })
  .meta({
    id: 'Status',
    description: 'How the service is doing, now and lately.',
    example: {
      status: 'operational',
      checks: CHECKS_EXAMPLE,
      history: { '24h': { uptime: 1, samples: 1440 }, '7d': { uptime: 0.9998, samples: 10078 } },
      storage: {
        engine: 'postgresql',
        durability:
          'PostgreSQL. What has been acknowledged survives a crash and a loss of power, unless the server runs with fsync or synchronous_commit off.',
      },
    },
  });

export const OpenApi = z
  .looseObject({
    openapi: z.string().meta({ description: 'The version of OpenAPI.' }),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    paths: z.record(z.string(), z.unknown()).meta({ description: 'Every operation, by path and method.' }),
  })
  .meta({
    id: 'OpenApiDocument',
    description: 'This document.',
    example: {
      openapi: '3.1.1',
      info: { title: 'Reliability score service', version: '1.0.0' },
      paths: { '/api/v1/health': { get: { summary: 'Ask whether the process answers' } } },
    },
  });
