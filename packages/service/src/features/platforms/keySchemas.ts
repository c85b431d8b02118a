import { z } from 'zod';
import { scopeCatalogue } from '../../domain/scopes.js';
import { storableText } from '../../kit/http/query.js';

const KEY_EXAMPLE = {
  id: '0199a3c2-7b1f-7d02-9a11-0c4de8f7b215',
  label: 'nightly import',
  scopes: ['events:write'],
  isTest: false,
  isActive: true,
  expiresAt: '2027-03-01T09:00:00.000Z',
  lastUsedAt: null,
  createdAt: '2026-03-01T09:00:00.000Z',
};

export const NEW_LIVE_KEY = {
  id: KEY_EXAMPLE.id,
  key: 'crd_live_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXA',
};
export const NEW_TEST_KEY = {
  id: '0199a3c2-7b20-7a6e-b0c3-2f9e61d4a870',
  key: 'crd_test_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXA',
};

export const KeyRecord = z
  .object({
    id: z.uuid(),
    label: z.string().nullable(),
    scopes: z.array(z.string()).meta({ description: 'Empty: full access.' }),
    isTest: z.boolean(),
    isActive: z.boolean(),
    expiresAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: 'Known within half a minute.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'KeyRecord',
    description: 'What is known of a key; the key itself is not.',
    example: KEY_EXAMPLE,
  });

export const KeyList = z
  .object({ keys: z.array(KeyRecord) })
  .meta({ id: 'KeyList', example: { keys: [KEY_EXAMPLE] } });

const label = storableText(1, 255).nullable().optional();
const scopes = z.array(z.enum(scopeCatalogue)).max(scopeCatalogue.length);
const expiresInDays = z
  .int()
  .min(1)
  .max(3650)
  .nullable()
  .optional()
  .meta({ description: 'Left out: the key has no end.' });

/** What the operator mints: nobody stands above it, so there is nothing to inherit. */
export const KeyBody = z
  .object({
    label,
    scopes: scopes.min(1).optional().meta({ description: 'Left out: full access.' }),
    isTest: z.boolean().optional().meta({ description: 'A live key unless told.' }),
    expiresInDays,
  })
  .meta({ id: 'NewKey', example: { label: 'nightly import', scopes: ['events:write'], expiresInDays: 365 } });

export const KeyMinted = z
  .object({ ...KeyRecord.shape, key: z.string().meta({ description: 'Shown this once.' }) })
  .meta({ id: 'KeyMinted', example: { ...KEY_EXAMPLE, key: NEW_LIVE_KEY.key } });

/** What a platform mints for itself. */
export const OwnKeyBody = z
  .object({
    label,
    scopes: scopes.optional().meta({
      description:
        'At or below the scopes of the key in use, and the same as these when left out. An empty list means full access, ' +
        'which only a key without scopes can hand out.',
    }),
    isTest: z
      .boolean()
      .optional()
      .meta({ description: 'The mode of the key in use unless told. A test key mints test keys only.' }),
    expiresInDays,
  })
  .meta({
    id: 'NewOwnKey',
    example: { label: 'nightly import', scopes: ['events:write'], isTest: false, expiresInDays: 365 },
  });

export const ScopesBody = z
  .object({
    scopes: scopes
      .min(1)
      .meta({ description: 'Replace those that stand. Not empty: that would be full access.' }),
  })
  .meta({ id: 'KeyScopes', example: { scopes: ['events:write', 'scores:read'] } });

export const RotationBody = z
  .object({
    graceHours: z.number().optional().meta({
      description:
        'How long the old key works beside the new one: 24 unless told, brought into 0 to 168. 0 ends it at once.',
    }),
  })
  .meta({ id: 'KeyRotation', example: { graceHours: 24 } });

export const KeyRotated = z
  .object({
    ...KeyMinted.shape,
    rotatedFrom: z.uuid().meta({ description: 'The key it takes over from.' }),
    previousExpiresAt: z.iso.datetime().meta({ description: 'When that one ends.' }),
  })
  .meta({
    id: 'KeyRotated',
    example: {
      ...KEY_EXAMPLE,
      key: NEW_LIVE_KEY.key,
      rotatedFrom: '0199a3c2-7b20-7a6e-b0c3-2f9e61d4a871',
      previousExpiresAt: '2026-03-02T09:00:00.000Z',
    },
  });

export const KeyRevoked = z
  .object({
    id: z.uuid(),
    revoked: z.literal(true),
    alreadyRevoked: z.boolean().meta({ description: 'True when it had been revoked before.' }),
  })
  .meta({ id: 'KeyRevoked', example: { id: KEY_EXAMPLE.id, revoked: true, alreadyRevoked: false } });

const keyId = z.string().meta({ description: 'Id of the key, not the key itself.', example: KEY_EXAMPLE.id });

export const ownKeyPath = z.object({ keyId });

export const platformKeyPath = z.object({
  id: z
    .string()
    .meta({ description: 'Id of the platform.', example: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34' }),
  keyId,
});
