import { z } from 'zod';
import { parsedUrl } from '../../../domain/parsedUrl.js';

const MAX_LENGTH = 2048;

/**
 * An http or https link for people, stored as given and never fetched. Refuses URLs that a browser
 * would execute.
 */
export const webLink = z
  .string()
  .min(1)
  .max(MAX_LENGTH, { abort: true })
  .superRefine((text, context) => {
    if (text === '' || isWebLink(text)) return;
    context.addIssue({ code: 'invalid_format', format: 'url', message: MESSAGE, input: text });
  })
  .meta({ format: 'uri' });

const MESSAGE = 'must be an http or https URL without user name, password or white space';

function isWebLink(text: string): boolean {
  // Browsers read a backslash as a slash, other parsers do not: the link would lead elsewhere than
  // it appears to.
  if (!/^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(text)) return false;
  const url = parsedUrl(text);
  return url !== null && url.username + url.password === '';
}
