import { z } from 'zod';
import { RECEIPT_EXAMPLE } from './logReceipt.js';

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
