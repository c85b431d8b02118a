import { z } from 'zod';

const factValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const proof = z.array(z.string());

export const OPENED_LEAF = {
  leafIndex: z.int().min(0),
  salt: z.string(),
  fact: z.record(z.string(), factValue),
};

export const LogReceipt = z
  .object({ eventId: z.uuid(), ...OPENED_LEAF, proof, checkpoint: z.string() })
  .meta({ id: 'LogReceipt' });

export const LogInclusion = z
  .object({
    origin: z.string(),
    leafIndex: z.int().min(0),
    d: z.string(),
    proof,
    checkpoint: z.string(),
    since: z.iso.datetime(),
  })
  .meta({ id: 'LogInclusion' });
