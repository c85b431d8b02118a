import { z } from 'zod';
import { scopeCatalogue } from '../../../domain/scopes.js';
import { flag, storableText } from '../../../kit/http/query.js';
import { canonicalNetwork } from '../../../kit/networks.js';

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
    createdBy: z.string().nullable().meta({
      description:
        'Id of the key that was used to make it, `operator`, or `bootstrap` for the keys of the first start. null: made before this was recorded.',
    }),
    replacedBy: z.uuid().nullable().meta({
      description: 'The key that a rotation made in its place. Until its end it works, but makes no keys.',
    }),
    allowedCidrs: z
      .array(z.string())
      .meta({ description: 'Networks that it is accepted from. Empty: from everywhere.' }),
  })
  .meta({
    id: 'KeyRecord',
    description: 'What is known of a key; the key itself is not.',
    example: KEY_EXAMPLE,
  });

export const KeyList = z
  .object({ keys: z.array(KeyRecord) })
  .meta({ id: 'KeyList', description: 'The keys, never in plain text.', example: { keys: [KEY_EXAMPLE] } });

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
      'Left out: the key ends with the one that makes it, if that has an end. A key never outlives the key that made it, nor ' +
      "the platform's `maxKeyLifetimeDays`: a longer life is shortened, and the answer warns of it (`KEY_EXPIRY_CLAMPED`).",
  });
const network = z
  .string()
  .max(64)
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
      'Networks that the key is accepted from; a request from elsewhere gets 403 FORBIDDEN. Left out: those of the key that makes ' +
      'it. Empty: from everywhere, which only a key without such a list can hand out.',
    example: ['203.0.113.0/24', '2001:db8::/32'],
  });
const warnings = z
  .array(z.object({ code: z.string(), message: z.string() }))
  .meta({ description: 'Codes of `warningCode` in `GET /enums`.' });

/** What the operator mints: nobody stands above it, so there is nothing to inherit. */
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
    description: 'What the new key may do and in which mode it works. All of it may be left out.',
    example: { label: 'nightly import', scopes: ['events:write'], expiresInDays: 365 },
  });

export const KeyMinted = z
  .object({ ...KeyRecord.shape, key: z.string().meta({ description: 'Shown this once.' }), warnings })
  .meta({
    id: 'KeyMinted',
    description: 'The new key, shown this once.',
    example: { ...KEY_EXAMPLE, key: NEW_LIVE_KEY.key, warnings: [] },
  });

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
      .meta({ description: 'Default: the mode of the key in use. A test key mints test keys only.' }),
    expiresInDays,
    allowedCidrs,
  })
  .meta({
    id: 'NewOwnKey',
    description: 'What the new key may do and in which mode it works. All of it may be left out.',
    example: { label: 'nightly import', scopes: ['events:write'], isTest: false, expiresInDays: 365 },
  });

export const ScopesBody = z
  .object({
    scopes: scopes
      .min(1)
      .meta({ description: 'Replace those that stand. Not empty: that would be full access.' }),
  })
  .meta({
    id: 'KeyScopes',
    description: 'The scopes that replace the ones of the key.',
    example: { scopes: ['events:write', 'scores:read'] },
  });

export const RotationBody = z
  .object({
    graceHours: z.number().optional().meta({
      description:
        'How long the old key works beside the new one: 24 by default, brought into 0 to 168. 0 ends it at once.',
    }),
  })
  .meta({ id: 'KeyRotation', description: 'How long the old key still works.', example: { graceHours: 24 } });

export const KeyRotated = z
  .object({
    ...KeyMinted.shape,
    rotatedFrom: z.uuid().meta({ description: 'The key it takes over from.' }),
    previousExpiresAt: z.iso.datetime().meta({ description: 'When that one ends.' }),
  })
  .meta({
    id: 'KeyRotated',
    description: 'The new key, shown this once, and until when the old one works.',
    example: {
      ...KEY_EXAMPLE,
      key: NEW_LIVE_KEY.key,
      warnings: [],
      rotatedFrom: '0199a3c2-7b20-7a6e-b0c3-2f9e61d4a871',
      previousExpiresAt: '2026-03-02T09:00:00.000Z',
    },
  });

export const KeyRevoked = z
  .object({
    id: z.uuid(),
    revoked: z.literal(true),
    alreadyRevoked: z.boolean().meta({ description: 'True when it had been revoked before.' }),
    descendantsRevoked: z.int().min(0).meta({
      description: 'How many other keys `cascade` revoked: active ones that descend from this key.',
    }),
  })
  .meta({
    id: 'KeyRevoked',
    description: 'The key that opens nothing any more.',
    example: { id: KEY_EXAMPLE.id, revoked: true, alreadyRevoked: false, descendantsRevoked: 0 },
  });

export const RevokeQuery = z.object({
  cascade: flag.optional().default(false).meta({
    description:
      'Also revokes every key that was minted or rotated with this key, with one of those, and so on. For a key that leaked.',
    example: 'true',
  }),
});

const keyId = z.string().meta({ description: 'Id of the key, not the key itself.', example: KEY_EXAMPLE.id });

export const ownKeyPath = z.object({ keyId });

export const platformKeyPath = z.object({
  id: z
    .string()
    .meta({ description: 'Id of the platform.', example: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34' }),
  keyId,
});
