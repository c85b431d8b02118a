import { z } from 'zod';
import { namesSomebody } from '../../../domain/sameParty.js';
import { refusalOf } from '../../../kit/addressGuard.js';

/** A name. A text that names nobody, such as white space, counts as left out. */
export const name = z
  .string()
  .max(255)
  .transform((text) => (namesSomebody(text) ? text : undefined));

/**
 * For people to open; the service never fetches it. Refuses private addresses and ambiguous URLs.
 */
export const homepage = z
  .string()
  .max(2048, { abort: true })
  .superRefine((text, context) => {
    const message = homepageError(text);
    if (message === null) return;
    context.addIssue({ code: 'invalid_format', format: 'url', message, input: text });
  })
  .meta({ format: 'uri' });

function homepageError(text: string): string | null {
  // URL parsers silently drop or rewrite these characters.
  if (!/^https:\/\/[^/?#\\]/i.test(text) || /[\s\p{Cc}\\]/u.test(text)) return 'must be an https URL';
  return refusalOf(text, []);
}

const DID = /^did:[a-z0-9]+(?::(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})*)*:(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})+$/;

/** A decentralized identifier. Only its form is checked (DID Core 3.1); it is not resolved. */
export const did = z
  .string()
  .max(2048, { abort: true })
  .regex(DID, 'must be a DID, such as did:web:example.com');
