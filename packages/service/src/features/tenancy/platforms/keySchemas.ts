import { z } from 'zod';
import { scopeCatalogue } from '../../../domain/scopes.js';
import { canonicalNetwork } from '../../../kit/addressGuard.js';
import type { ReadonlyDeep } from '../../../kit/http/answer.js';
import { flag, instant, pathText, storableText } from '../../../kit/http/query.js';

const KEY_EXAMPLE = {
  id: '0199a3c2-7b1f-7d02-9a11-0c4de8f7b215',
  label: 'nightly import',
  scopes: ['events:write'],
  isTest: false,
  isActive: true,
  expiresAt: '2027-03-01T09:00:00.000Z',
  lastUsedAt: null,
  createdAt: '2026-03-01T09:00:00.000Z',
  createdBy: '0199a3c2-7b1f-7d02-9a11-0c4de8f7b200',
  replacedBy: null,
  allowedCidrs: ['203.0.113.0/24'],
};

export const NEW_LIVE_KEY = {
  id: KEY_EXAMPLE.id,
  key: 'crd_live_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXA',
};
export const NEW_TEST_KEY = {
  id: '0199a3c2-7b20-7a6e-b0c3-2f9e61d4a870',
  key: 'crd_test_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXA',
};

export type StoredKey = ReadonlyDeep<z.output<typeof KeyRecord>>;

export const KeyRecord = z
  .object({
    id: z.uuid(),
    label: z.string().nullable(),
    scopes: z.array(z.string()).meta({ description: 'Empty: full access.' }),
    isTest: z.boolean(),
    isActive: z.boolean(),
    expiresAt: instant.nullable(),
    lastUsedAt: instant.nullable().meta({ description: 'Up to 30 seconds late.' }),
    createdAt: instant,
    createdBy: z.string().nullable().meta({
      description:
        'Id of the key that created it, `operator`, or `bootstrap` for the keys of the first start. null: created before this was stored.',
    }),
    replacedBy: z.uuid().nullable().meta({
      description:
        'The key that replaced it in a rotation. Until it expires it still works, but creates no keys.',
    }),
    allowedCidrs: z
      .array(z.string())
      .meta({ description: 'Networks from which the key is accepted. Empty: from everywhere.' }),
  })
  .meta({
    id: 'KeyRecord',
    description: 'A key without its secret.',
    example: KEY_EXAMPLE,
  });

export const KeyList = z.object({ keys: z.array(KeyRecord) }).meta({
  id: 'KeyList',
  description: 'The keys of a platform, without their secrets.',
  example: { keys: [KEY_EXAMPLE] },
});

const label = storableText(1, 255).nullable().optional();
const scopes = z.array(z.enum(scopeCatalogue)).max(scopeCatalogue.length);
const expiresInDays = z
  .int()
  .min(1)
  .max(3650)
  .nullable()
  .optional()
  .meta({
    description:
      'Left out: the key expires together with the key in use, if that one expires. A key never outlives the key that created ' +
      "it, nor the platform's `maxKeyLifetimeDays`: a longer life is shortened, with the warning `KEY_EXPIRY_CLAMPED`.",
  });
const network = z
  .string()
  .max(64, { abort: true })
  .refine(
    (text) => canonicalNetwork(text) !== null,
    'must be an address or a network such as 203.0.113.0/24',
  );
const allowedCidrs = z
  .array(network)
  .max(32)
  .optional()
  .meta({
    description:
      'Networks from which the key is accepted; a request from elsewhere gets 403 FORBIDDEN. Left out: the networks of the key ' +
      'in use. Empty: from everywhere, which only a key without such a list can grant.',
    example: ['203.0.113.0/24', '2001:db8::/32'],
  });
const warnings = z
  .array(z.object({ code: z.string(), message: z.string() }))
  .meta({ description: 'Codes of `warningCode` in `GET /enums`.' });

/** A key minted by the operator inherits nothing. */
export const KeyBody = z
  .object({
    label,
    scopes: scopes.min(1).optional().meta({ description: 'Left out: full access.' }),
    isTest: z.boolean().optional().meta({ description: 'Default: false, a live key.' }),
    expiresInDays,
    allowedCidrs,
  })
  .meta({
    id: 'NewKey',
    description: 'Scopes, mode and life of the new key. All fields are optional.',
    example: { label: 'nightly import', scopes: ['events:write'], expiresInDays: 365 },
  });

export type KeyMinted = ReadonlyDeep<z.output<typeof KeyMinted>>;

export const KeyMinted = z
  .object({
    ...KeyRecord.shape,
    key: z.string().meta({ description: 'The key itself. It is shown only once.' }),
    warnings,
  })
  .meta({
    id: 'KeyMinted',
    description: 'The new key. It is shown only once.',
    example: { ...KEY_EXAMPLE, key: NEW_LIVE_KEY.key, warnings: [] },
  });

/** A key minted by a platform for itself. */
export const OwnKeyBody = z
  .object({
    label,
    scopes: scopes.optional().meta({
      description:
        'At or below the scopes of the key in use. Default: the same scopes. An empty list means full access, which only a key ' +
        'without scopes can grant.',
    }),
    isTest: z
      .boolean()
      .optional()
      .meta({ description: 'Default: the mode of the key in use. A test key mints test keys only.' }),
    expiresInDays,
    allowedCidrs,
  })
  .meta({
    id: 'NewOwnKey',
    description: 'Scopes, mode and life of the new key. All fields are optional.',
    example: { label: 'nightly import', scopes: ['events:write'], isTest: false, expiresInDays: 365 },
  });

export const ScopesBody = z
  .object({
    scopes: scopes
      .min(1)
      .meta({ description: 'The new scopes. Not empty, since that would mean full access.' }),
  })
  .meta({
    id: 'KeyScopes',
    description: 'Scopes that replace the present ones.',
    example: { scopes: ['events:write', 'scores:read'] },
  });

export const RotationBody = z
  .object({
    graceHours: z.number().optional().meta({
      description:
        'Hours for which the old key still works, 0 to 168; values beyond are clamped. Default: 24. 0 revokes it at once.',
    }),
  })
  .meta({ id: 'KeyRotation', description: 'The grace period of the old key.', example: { graceHours: 24 } });

export type KeyRotated = ReadonlyDeep<z.output<typeof KeyRotated>>;

export const KeyRotated = z
  .object({
    ...KeyMinted.shape,
    rotatedFrom: z.uuid().meta({ description: 'Id of the old key.' }),
    previousExpiresAt: instant.meta({ description: 'When the old key expires.' }),
  })
  .meta({
    id: 'KeyRotated',
    description: 'The new key, shown only once, and the end of the old one.',
    example: {
      ...KEY_EXAMPLE,
      key: NEW_LIVE_KEY.key,
      warnings: [],
      rotatedFrom: '0199a3c2-7b20-7a6e-b0c3-2f9e61d4a871',
      previousExpiresAt: '2026-03-02T09:00:00.000Z',
    },
  });

export type KeyRevoked = z.output<typeof KeyRevoked>;

export const KeyRevoked = z
  .object({
    id: z.uuid(),
    revoked: z.literal(true),
    alreadyRevoked: z.boolean().meta({ description: 'True: the key was revoked before this request.' }),
    descendantsRevoked: z.int().min(0).meta({
      description:
        'Number of other keys that `cascade` revoked: active keys created by this one, directly or not.',
    }),
  })
  .meta({
    id: 'KeyRevoked',
    description: 'The revoked key.',
    example: { id: KEY_EXAMPLE.id, revoked: true, alreadyRevoked: false, descendantsRevoked: 0 },
  });

export const RevokeQuery = z.object({
  cascade: flag.optional().default(false).meta({
    description:
      'Also revokes every key that was created with this key, directly or through other keys. Use it for a leaked key.',
    example: 'true',
  }),
});

const keyId = pathText('Id of the key, not the key itself.', KEY_EXAMPLE.id);

export const ownKeyPath = z.object({ keyId });

export const platformKeyPath = z.object({
  id: pathText('Id of the platform.', '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34'),
  keyId,
});
