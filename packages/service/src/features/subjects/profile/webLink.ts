import { z } from 'zod';
import { parsedUrl } from '../../../domain/parsedUrl.js';

const MAX_LENGTH = 2048;

/** A link that people may follow and the service never does: http or https, kept as given. Whatever a browser would run is refused. */
export const webLink = z
  .string()
  .min(1)
  .max(MAX_LENGTH)
  .superRefine((text, context) => {
    if (text === '' || isWebLink(text)) return;
    context.addIssue({ code: 'invalid_format', format: 'url', message: FORM, input: text });
  })
  .meta({ format: 'uri' });

const FORM = 'must be an http or https URL without user name, password and white space';

function isWebLink(text: string): boolean {
  // Browsers read a backslash as a slash, other readers do not: such a link leads where the one who looked at it did not look.
  if (!/^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(text)) return false;
  const url = parsedUrl(text);
  return url !== null && url.username + url.password === '';
}
