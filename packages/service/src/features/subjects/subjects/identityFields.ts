import { z } from 'zod';
import { namesSomebody } from '../../../domain/sameParty.js';
import { refusalOf } from '../../../kit/addressGuard.js';

/** A name; what names nobody, as white space alone, counts as left out. */
export const name = z
  .string()
  .max(255)
  .transform((text) => (namesSomebody(text) ? text : undefined));

/** Where people can look; the service never does. Nothing that leads into a private network, or reads in two ways. */
export const homepage = z
  .string()
  .max(2048)
  .superRefine((text, context) => {
    const fault = homepageFault(text);
    if (fault === null) return;
    context.addIssue({ code: 'invalid_format', format: 'url', message: fault, input: text });
  })
  .meta({ format: 'uri', description: 'An https URL. Shown as given, never fetched.' });

function homepageFault(text: string): string | null {
  // URL parsers drop or turn these round in silence.
  if (!/^https:\/\/[^/?#\\]/i.test(text) || /[\s\p{Cc}\\]/u.test(text)) return 'must be an https URL';
  return refusalOf(text, []);
}

const DID = /^did:[a-z0-9]+(?::(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})*)*:(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})+$/;

/** A decentralized identifier by its form alone (DID Core 3.1); nobody resolves it. */
export const did = z
  .string()
  .max(2048)
  .regex(DID, 'must be a DID, as in did:web:example.com')
  .meta({ description: 'A decentralized identifier. Its form is checked, and no more.' });
