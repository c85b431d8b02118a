import { z } from 'zod';
import { LogReceipt, OPENED_LEAF } from '#domain/logProofs.js';
import { pathText, wholeNumber } from '#kit/http/query.js';

export const Receipt = LogReceipt;

export const eventPath = z.object({ id: pathText() });

export const ReceiptQuery = z.object({ format: z.enum(['json', 'tlog-proof']).optional().default('json') });

export const tilePath = z.object({
  level: z.string().max(2),
  rest: z.string().max(60),
});

const MAX_SIZE = 999_999_999_999_999;

export const ConsistencyQuery = z.object({
  from: wholeNumber(0, MAX_SIZE),
  to: wholeNumber(0, MAX_SIZE),
});

const hashes = z.array(z.string());

export const Consistency = z
  .object({
    from: z.int().min(0),
    to: z.int().min(0),
    proof: hashes,
  })
  .meta({ id: 'LogConsistency' });

const identity = {
  origin: z.string(),
  vkey: z.string(),
  announcedKeys: z.array(z.string()),
  retiredKeys: z.array(z.string()),
  witnesses: z.array(z.string()),
};

export const LogIdentity = z
  .object({
    ...identity,
    asWitness: z
      .object({
        vkey: z.string(),
        announcedKeys: z.array(z.string()),
        url: z.string(),
        logs: z.array(z.string()),
      })
      .nullable(),
    otherLogs: z.array(z.object(identity)),
  })
  .meta({ id: 'LogIdentity' });

const snapshotFact = z.looseObject({
  members: z.array(
    z.object({
      chain: z.string(),
      position: z.int().min(0),
    }),
  ),
});

const commitment = z.string();

export const ScoreProof = z
  .object({
    userId: z.string(),
    snapshot: z.object({ ...OPENED_LEAF, fact: snapshotFact, proof: hashes }),
    reasons: z.object({
      factors: z.object({
        completion: z.number(),
        timeliness: z.number(),
        disputes: z.number(),
        verification: z.number(),
        gate: z.number(),
      }),
      adverse: z.array(z.string()),
      supporting: z.array(z.string()),
    }),
    members: z.array(
      z.object({
        subject: z.uuid().optional(),
        log: z.int().min(0).optional(),
        events: z.array(
          z.union([z.object(OPENED_LEAF), z.object({ leafIndex: OPENED_LEAF.leafIndex, d: commitment })]),
        ),
      }),
    ),
    eventProofs: z.array(hashes),
    checkpoint: z.string(),
    cosignatures: z.array(z.string()),
    otherLogs: z
      .array(
        z.object({
          checkpoint: z.string(),
          cosignatures: z.array(z.string()),
        }),
      )
      .optional(),
  })
  .meta({ id: 'ScoreProof' });
