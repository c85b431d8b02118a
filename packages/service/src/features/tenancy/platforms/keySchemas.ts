import { z } from 'zod';
import { scopeCatalogue } from '#domain/scopes.js';
import { canonicalNetwork } from '#kit/addressGuard.js';
import type { ReadonlyDeep } from '#kit/http/answer.js';
import { flag, instant, pathText, storableText } from '#kit/http/query.js';

export type StoredKey = ReadonlyDeep<z.output<typeof KeyRecord>>;

export const KeyRecord = z
  .object({
    id: z.uuid(),
    label: z.string().nullable(),
    scopes: z.array(z.string()),
    isTest: z.boolean(),
    isActive: z.boolean(),
    expiresAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
    createdAt: instant,
    createdBy: z.string().nullable(),
    replacedBy: z.uuid().nullable(),
    allowedCidrs: z.array(z.string()),
  })
  .meta({ id: 'KeyRecord' });

export const KeyList = z.object({ keys: z.array(KeyRecord) }).meta({ id: 'KeyList' });

const label = storableText(1, 255).nullable().optional();
const scopes = z.array(z.enum(scopeCatalogue)).max(scopeCatalogue.length);
const expiresInDays = z.int().min(1).max(3650).nullable().optional();
const network = z
  .string()
  .max(64, { abort: true })
  .refine(
    (text) => canonicalNetwork(text) !== null,
    'must be an address or a network such as 203.0.113.0/24',
  );
const allowedCidrs = z.array(network).max(32).optional();
const warnings = z.array(z.object({ code: z.string(), message: z.string() }));

/** A key minted by the operator inherits nothing. */
export const KeyBody = z
  .object({
    label,
    scopes: scopes.min(1).optional(),
    isTest: z.boolean().optional(),
    expiresInDays,
    allowedCidrs,
  })
  .meta({ id: 'NewKey' });

export type KeyMinted = ReadonlyDeep<z.output<typeof KeyMinted>>;

export const KeyMinted = z
  .object({
    ...KeyRecord.shape,
    key: z.string(),
    warnings,
  })
  .meta({ id: 'KeyMinted' });

/** A key minted by a platform for itself. */
export const OwnKeyBody = z
  .object({
    label,
    scopes: scopes.optional(),
    isTest: z.boolean().optional(),
    expiresInDays,
    allowedCidrs,
  })
  .meta({ id: 'NewOwnKey' });

export const ScopesBody = z
  .object({
    scopes: scopes.min(1),
  })
  .meta({ id: 'KeyScopes' });

export const RotationBody = z
  .object({
    graceHours: z.number().optional(),
  })
  .meta({ id: 'KeyRotation' });

export type KeyRotated = ReadonlyDeep<z.output<typeof KeyRotated>>;

export const KeyRotated = z
  .object({
    ...KeyMinted.shape,
    rotatedFrom: z.uuid(),
    previousExpiresAt: instant,
  })
  .meta({ id: 'KeyRotated' });

export type KeyRevoked = z.output<typeof KeyRevoked>;

export const KeyRevoked = z
  .object({
    id: z.uuid(),
    revoked: z.literal(true),
    alreadyRevoked: z.boolean(),
    descendantsRevoked: z.int().min(0),
  })
  .meta({ id: 'KeyRevoked' });

export const RevokeQuery = z.object({
  cascade: flag.optional().default(false),
});

const keyId = pathText();

export const ownKeyPath = z.object({ keyId });

export const platformKeyPath = z.object({
  id: pathText(),
  keyId,
});
