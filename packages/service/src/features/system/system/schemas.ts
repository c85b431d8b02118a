import { z } from 'zod';
import { instant } from '../../../kit/http/query.js';

const CHECKS_EXAMPLE = {
  database: { status: 'ok', latencyMs: 0.8, unreachableGroups: 0 },
  worker: { status: 'ok', lastBeatAt: '2026-11-21T09:29:57.104Z', queueLagSeconds: 0, failingRecords: 0 },
  outbox: { status: 'ok', waitingSeconds: 0 },
  log: {
    status: 'ok',
    treeSize: 48213,
    signedSize: 48213,
    publishedSize: 48213,
    waitingSeconds: 0,
    unpublishedSeconds: 0,
    witnesses: [
      {
        key: 'witness.example/w1+8d66cf3f',
        status: 'ok',
        cosignedSize: 48213,
        cosignedAt: '2026-11-21T09:29:58.000Z',
      },
    ],
  },
};

/**
 * The state of workers and outbox is read from the database, so it is unknown while that is
 * unavailable.
 */
export type Checks = z.output<typeof Checks>;
const Checks = z
  .object({
    database: z.object({
      status: z.enum(['ok', 'busy', 'failed', 'wrong_server']).meta({
        description:
          '`failed`: the database does not answer, or is not yet prepared for this version. `busy`: all connections of ' +
          'this process have been in use for 2 s, so requests are refused with `OVERLOADED`. `wrong_server`: the only ' +
          'server that accepts writes is an old primary or another cluster, so it is not used until the operator acts.',
      }),
      latencyMs: z.number().nullable().meta({ description: 'Duration of one round trip in milliseconds.' }),
      unreachableGroups: z
        .int()
        .min(0)
        .nullable()
        .meta({
          description:
            'Number of ledger groups whose database server does not answer. Requests of their platforms get 503, all others ' +
            'are served. Above 0 only on a Citus cluster.',
        }),
    }),
    worker: z.object({
      status: z.enum(['ok', 'lagging', 'absent', 'unknown']).meta({
        description:
          '`absent`: no worker has sent a heartbeat for 60 s. `lagging`: an entry has been waiting for more than 60 s.',
      }),
      lastBeatAt: instant.nullable().meta({ description: 'The last heartbeat of any worker.' }),
      queueLagSeconds: z.number().nullable().meta({
        description: 'Age of the oldest entry that waits for its score to be recomputed.',
      }),
      failingRecords: z.int().min(0).nullable().meta({
        description:
          'Number of records whose score computation fails, up to 1000. Each is retried automatically.',
      }),
    }),
    outbox: z.object({
      status: z.enum(['ok', 'lagging', 'unknown']).meta({
        description: '`lagging`: a delivery to a working target has been due for more than 60 s.',
      }),
      waitingSeconds: z.number().nullable().meta({
        description: 'How long the oldest delivery to a working target has been due.',
      }),
    }),
    log: z
      .object({
        status: z.enum(['ok', 'lagging', 'halted', 'contradicted', 'unknown']).meta({
          description:
            '`lagging`: a fact or a checkpoint has been waiting for more than 60 s. ' +
            '`halted`: the log contradicts a signed checkpoint, so nothing is signed until the ' +
            'operator acts. `contradicted`: a witness has seen another log under this name.',
        }),
        treeSize: z.int().min(0).nullable().meta({ description: 'Number of facts in the transparency log.' }),
        signedSize: z
          .int()
          .min(0)
          .nullable()
          .meta({ description: 'Number of facts under the newest checkpoint.' }),
        publishedSize: z.int().min(0).nullable().meta({
          description: 'Number of facts under the newest checkpoint that enough witnesses have cosigned.',
        }),
        waitingSeconds: z
          .number()
          .nullable()
          .meta({ description: 'How long the oldest fact has waited for the log.' }),
        unpublishedSeconds: z
          .number()
          .nullable()
          .meta({ description: 'How long the oldest checkpoint has waited for witnesses.' }),
        witnesses: z
          .array(
            z.object({
              key: z.string().meta({ description: 'Name and id of its key.' }),
              status: z.enum(['ok', 'failing', 'contradicting']).meta({
                description:
                  '`failing`: its last answer was no cosignature. `contradicting`: it knows another log under this name.',
              }),
              cosignedSize: z
                .int()
                .min(0)
                .meta({ description: 'Facts under the newest checkpoint that it cosigned.' }),
              cosignedAt: instant.nullable().meta({ description: 'When it cosigned that checkpoint.' }),
            }),
          )
          .meta({ description: 'The witnesses of the log.' }),
      })
      .meta({ description: 'The transparency log.' }),
  })
  .meta({ id: 'HealthChecks', description: 'Results of the current checks.' });

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

export const Alive = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Alive', description: 'The process answers.', example: { status: 'ok' } });

export type Ready = z.output<typeof Ready>;
export const Ready = z.object({ status: z.literal('ready'), checks: Checks }).meta({
  id: 'Ready',
  description: 'The service is ready for requests.',
  example: { status: 'ready', checks: CHECKS_EXAMPLE },
});

export type NotReady = z.output<typeof NotReady>;
export const NotReady = z.object({ status: z.literal('degraded'), checks: Checks }).meta({
  id: 'NotReady',
  description:
    'Requests would be refused: the database is unavailable, not prepared, busy, or the wrong one. Or the log has stopped: ' +
    'the database does not hold what was signed, and requests are still answered.',
  example: {
    status: 'degraded',
    checks: { database: { status: 'failed', latencyMs: null, unreachableGroups: null }, ...NOT_CHECKED },
  },
});

export type Uptime = z.output<typeof Uptime>;
const Uptime = z
  .object({
    uptime: z.number().min(0).max(1).nullable().meta({
      description: 'Share of minutes with a good sample since the first sample of the window, from 0 to 1.',
    }),
    samples: z.int().min(0).meta({ description: 'Number of samples in the window, at most one per minute.' }),
  })
  .meta({ id: 'Uptime', description: 'Uptime over one window.' });

export type Status = z.output<typeof Status>;
export const Status = z
  .object({
    status: z.enum(['operational', 'degraded', 'outage']).meta({
      description:
        '`degraded`: events are accepted, but scores or messages are late. `outage`: the database is unavailable.',
    }),
    checks: Checks,
    history: z
      .object({ '24h': Uptime, '7d': Uptime })
      .nullable()
      .meta({ description: 'Based on one sample per minute; `null` while the database is unavailable.' }),
    processes: z
      .object({
        configured: z.int().min(1).meta({ description: 'Number of processes that PROCESSES asks for.' }),
        running: z.int().min(1).meta({
          description: 'Number of processes that run. A process that ended is started again within 30 s.',
        }),
      })
      .meta({ description: 'Processes that share the address of the one that answered.' }),
    storage: z.object({
      engine: z.enum(['pglite', 'postgresql']),
      durability: z.string().meta({ description: 'Which failures acknowledged data survives.' }),
    }),
  })
  .meta({
    id: 'Status',
    description: 'Current and recent state of the service.',
    example: {
      status: 'operational',
      checks: CHECKS_EXAMPLE,
      history: { '24h': { uptime: 1, samples: 1440 }, '7d': { uptime: 0.9998, samples: 10078 } },
      processes: { configured: 1, running: 1 },
      storage: {
        engine: 'postgresql',
        durability:
          'PostgreSQL. Acknowledged data survives a crash and a power loss, unless the server runs with fsync or synchronous_commit off.',
      },
    },
  });

export const OpenApi = z
  .looseObject({
    openapi: z.string().meta({ description: 'OpenAPI version.' }),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    paths: z.record(z.string(), z.unknown()).meta({ description: 'All operations, by path and method.' }),
  })
  .meta({
    id: 'OpenApiDocument',
    description: 'This document.',
    example: {
      openapi: '3.1.1',
      info: { title: 'Reliability score service', version: '1.0.0' },
      paths: { '/api/v1/health': { get: { summary: 'Check that the process is alive' } } },
    },
  });
