import { z } from 'zod';
import { at, id, SAMPLE } from './fields.js';

/** Data about a platform's API key; never the key itself. */

const facts = {
  keyId: id,
  label: z.string().nullable(),
  scopes: z.array(z.string()).meta({ description: 'Empty: full access.' }),
  isTest: z.boolean(),
  createdBy: z
    .string()
    .nullable()
    .meta({ description: 'Id of the key that was used to make it, `operator` or `bootstrap`.' }),
  createdAt: at,
};

export const KeyCreated = z.object({
  ...facts,
  expiresAt: at.nullable(),
  rotatedFrom: id.nullable().meta({ description: 'The key it replaces; null: it was minted.' }),
  allowedCidrs: z.array(z.string()).meta({ description: 'Networks it is accepted from. Empty: everywhere.' }),
});
export type KeyCreated = z.output<typeof KeyCreated>;

export const KeyExpiring = z.object({
  ...facts,
  expiresAt: at,
  lastUsedAt: at.nullable(),
  hoursUntilExpiry: z.number().min(0),
});
export type KeyExpiring = z.output<typeof KeyExpiring>;

const FACTS = {
  keyId: SAMPLE.id(7),
  label: 'nightly import',
  scopes: ['events:write'],
  isTest: false,
  createdBy: SAMPLE.id(8),
  createdAt: SAMPLE.at,
};

export const KEY_CREATED_EXAMPLE: KeyCreated = {
  ...FACTS,
  expiresAt: null,
  rotatedFrom: null,
  allowedCidrs: ['203.0.113.0/24'],
};

export const KEY_EXPIRING_EXAMPLE: KeyExpiring = {
  ...FACTS,
  expiresAt: '2026-03-08T15:45:02.161Z',
  lastUsedAt: SAMPLE.at,
  hoursUntilExpiry: 168,
};
