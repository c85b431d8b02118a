import { fail } from '../../../domain/errors.js';
import { mayWriteAnything, scopesBeyond } from '../../../domain/scopes.js';
import { DAY_MS } from '../../../domain/timestamp.js';
import { networksBeyond } from '../../../kit/networks.js';
import type { StoredKey } from './keyStore.js';
import type { Platform } from './store.js';

/** What an answer with a new key points out; the codes are among those of GET /enums. */
export interface KeyWarning {
  readonly code: 'KEY_EXPIRY_CLAMPED' | 'KEY_OPENS_CONFIRMATIONS';
  readonly message: string;
}

/** The privilege ceiling: no key hands out more than it has, in scopes and networks. Throws SCOPE_CEILING_EXCEEDED. */
export function assertWithinCeiling(
  held: Pick<StoredKey, 'scopes' | 'allowedCidrs'>,
  wanted: Pick<StoredKey, 'scopes' | 'allowedCidrs'>,
): void {
  const scopes = scopesBeyond(held.scopes, wanted.scopes);
  if (scopes.length > 0) {
    fail('SCOPE_CEILING_EXCEEDED', {
      message:
        wanted.scopes.length === 0
          ? 'No scopes means full access, which only a key without scopes can hand out.'
          : `This key cannot hand out ${scopes.join(', ')}: it may do less than that itself.`,
      details: { exceeded: scopes },
    });
  }
  if (held.allowedCidrs.length === 0) return;
  const everywhere = wanted.allowedCidrs.length === 0;
  const networks = everywhere
    ? ['0.0.0.0/0', '::/0']
    : networksBeyond(held.allowedCidrs, wanted.allowedCidrs);
  if (networks.length === 0) return;
  fail('SCOPE_CEILING_EXCEEDED', {
    message: everywhere
      ? 'A key that is restricted to networks cannot hand out one that works from everywhere.'
      : `This key cannot hand out access from ${networks.join(', ')}: it is restricted to other networks itself.`,
    details: { exceeded: networks },
  });
}

interface Asked {
  /** When the key would end by itself; null: never. */
  readonly expiresAt: Date | null;
  /** Whether somebody asked for that end, so that a nearer one is worth a warning. */
  readonly isExplicit: boolean;
}

/** The earliest of the end that is asked for, the end of the key that makes it, and the platform's limit; with a warning. */
export function endOfKey(
  now: Date,
  asked: Asked,
  maker: StoredKey | null,
  { maxKeyLifetimeDays }: Pick<Platform, 'maxKeyLifetimeDays'>,
): { expiresAt: Date | null; warnings: KeyWarning[] } {
  const bounds = [
    {
      end: maker?.expiresAt ?? null,
      reason: 'the key in use ends then, and no key outlives the one that made it',
    },
    {
      end: endAfter(now, maxKeyLifetimeDays),
      reason: `keys of this platform live ${maxKeyLifetimeDays} days at most (maxKeyLifetimeDays)`,
    },
  ];
  let expiresAt = asked.expiresAt;
  let reason: string | null = null;
  for (const bound of bounds) {
    if (bound.end === null || (expiresAt !== null && expiresAt <= bound.end)) continue;
    expiresAt = bound.end;
    reason = bound.reason;
  }
  if (reason === null || !asked.isExplicit) return { expiresAt, warnings: [] };
  const message = `The key ends at ${expiresAt?.toISOString()}, earlier than asked for: ${reason}.`;
  return { expiresAt, warnings: [{ code: 'KEY_EXPIRY_CLAMPED', message }] };
}

/** The end of a key that lives for some days, or null for one without end. */
export function endAfter(now: Date, days: number | null | undefined): Date | null {
  return days ? new Date(now.getTime() + days * DAY_MS) : null;
}

/** A key that only reads can still ask counterparties to confirm, which its holder may not expect. */
export function warningsOfScopes(
  scopes: readonly string[],
  { confirmationsRequireWrite }: Pick<Platform, 'confirmationsRequireWrite'>,
): KeyWarning[] {
  if (confirmationsRequireWrite || mayWriteAnything(scopes)) return [];
  return [
    {
      code: 'KEY_OPENS_CONFIRMATIONS',
      message:
        'These scopes only read, but any valid key can open confirmations and references, and a confirmed one counts in a score. ' +
        'To close that: PATCH /platform {"confirmationsRequireWrite": true}.',
    },
  ];
}

/** A key that was rotated works until its grace ends, but makes no other keys. Throws FORBIDDEN. */
export function assertNotReplaced({ replacedBy, expiresAt }: StoredKey): void {
  if (replacedBy === null) return;
  fail('FORBIDDEN', {
    message:
      `This key was replaced by ${replacedBy} and works until ${expiresAt?.toISOString()}. It can no longer mint or rotate keys: ` +
      'use its successor. It can still revoke keys.',
  });
}
