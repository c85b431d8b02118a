import { fail } from '#domain/errors.js';
import { DAY_MS } from '#domain/timestamp.js';
import type { SerializedAnswer } from '#kit/http/answer.js';
import { fixedText } from '#kit/http/fixedDocument.js';

export interface SecurityContact {
  baseUrl: string;
  securityContact: string | undefined;
}

/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;

/**
 * GET /.well-known/security.txt (RFC 9116). `Expires` moves once a day. NOT_FOUND without a
 * contact, because the format requires one.
 */
export function showSecurityText(
  { baseUrl, securityContact }: SecurityContact,
  now: Date,
  context: { header(name: string): string | undefined },
): SerializedAnswer {
  if (securityContact === undefined) {
    const message =
      'This installation has no contact for security reports. Its operator can set SECURITY_CONTACT.';
    return fail('NOT_FOUND', { message });
  }
  const expires = new Date((Math.floor(now.getTime() / DAY_MS) + VALID_DAYS) * DAY_MS);
  const canonical = new URL('/.well-known/security.txt', baseUrl).href;
  const lines = [
    `Contact: ${securityContact}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    // The format allows no other scheme here.
    ...(canonical.startsWith('https://') ? [`Canonical: ${canonical}`] : []),
  ];
  return fixedText('text/plain; charset=utf-8', `${lines.join('\n')}\n`)(context);
}
