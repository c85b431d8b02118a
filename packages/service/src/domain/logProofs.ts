import { z } from 'zod';
import { EVENT_EXAMPLE } from './outcomeEvent.js';

const factValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** A leaf of the transparency log, opened: with its salt the fact gives the commitment in the log. */
export const OPENED_LEAF = {
  leafIndex: z.int().min(0).meta({ description: 'Number of the leaf, from 0.' }),
  salt: z.string().meta({ description: '16 random bytes as base64.' }),
  fact: z.record(z.string(), factValue).meta({
    description:
      'What the leaf commits to. The leaf holds SHA-256 of the salt followed by the canonical JSON of this object (RFC 8785).',
  }),
};

export const RECEIPT_EXAMPLE = {
  eventId: EVENT_EXAMPLE.id,
  leafIndex: 1,
  salt: 'ASNFZ4mrze8BI0VniavN7w==',
  fact: {
    kind: 'event',
    at: '2026-03-01T15:45:02.118Z',
    eventId: EVENT_EXAMPLE.id,
    subject: '5d1f0c9b-7a1e-8c40-8d21-5f0c9b7a1e34',
    position: 1,
    previous: null,
    platformId: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34',
    eventType: 'CONTRACT_FULFILLED',
    stakeLevel: 'HIGH',
    isVerified: true,
    platformTier: 'GROWTH',
    completedAt: '2026-03-01T15:42:10.000Z',
    dueDate: '2026-03-01T17:00:00.000Z',
    closes: null,
    completeUntil: '2026-03-01T15:45:01.950Z',
    textHash: 'R2VuZXJpYyBleGFtcGxlIG9mIGEgc2FsdGVkIGhhc2g=',
  },
  proof: ['QW4gZXhhbXBsZSBvZiBhIGhhc2ggaW4gdGhlIHRyZWU='],
  checkpoint:
    'reliability.example/log\n4\nQW4gZXhhbXBsZSBvZiB0aGUgcm9vdCBvZiBhIHRyZWU=\n\n— reliability.example/log aj7wwT0n...\n',
};

export const LogReceipt = z
  .object({
    eventId: z.uuid(),
    ...OPENED_LEAF,
    proof: z.array(z.string()).meta({ description: 'Inclusion proof as base64, from the leaf to the root.' }),
    checkpoint: z
      .string()
      .meta({ description: 'Signed checkpoint that the proof leads to (C2SP tlog-checkpoint).' }),
  })
  .meta({
    id: 'LogReceipt',
    description: 'Shows that the transparency log holds an event.',
    example: RECEIPT_EXAMPLE,
  });

export const INCLUSION_EXAMPLE = {
  origin: 'reliability.example/log',
  leafIndex: 2,
  d: 'V2hhdCBhIGxlYWYgY29tbWl0cyB0by4gICAgICAgICA=',
  proof: RECEIPT_EXAMPLE.proof,
  checkpoint: RECEIPT_EXAMPLE.checkpoint,
  since: '2026-03-01T15:45:03.020Z',
};

export const LogInclusion = z
  .object({
    origin: z.string().meta({ description: 'Name of the log.' }),
    leafIndex: z.int().min(0).meta({ description: 'Number of the leaf, from 0.' }),
    d: z.string().meta({ description: 'What the leaf commits to: 32 bytes as base64. It reveals nothing.' }),
    proof: z.array(z.string()).meta({ description: 'Inclusion proof as base64, from the leaf to the root.' }),
    checkpoint: z.string().meta({
      description: 'The first signed checkpoint that covers the leaf (C2SP tlog-checkpoint).',
    }),
    since: z.iso.datetime().meta({ description: 'When that checkpoint was signed.' }),
  })
  .meta({
    id: 'LogInclusion',
    description:
      'Shows that the transparency log holds a score. Credentials carry the same object as `evidence`.',
    example: INCLUSION_EXAMPLE,
  });
