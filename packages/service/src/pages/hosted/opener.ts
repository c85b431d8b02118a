import { parsedUrl } from '../../domain/parsedUrl.js';

/** The website that opened the page in a frame, by `/verify-embed.js`. */
export type Opener = string;

const ORIGIN = /^https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/;
/** A developer's own machine, where there is seldom a certificate. */
const LOCAL_ORIGIN = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/;
const MAX_LENGTH = 300;

/**
 * The one origin that may frame the page and hears its result; null where the page stands by itself. It goes into a header and
 * is compared by browsers to the letter, so nothing passes but an origin exactly as a browser writes it.
 */
export function openerOf(embed: unknown, origin: unknown): Opener | null {
  if (embed !== '1' || typeof origin !== 'string' || origin.length > MAX_LENGTH) return null;
  if (!ORIGIN.test(origin) && !LOCAL_ORIGIN.test(origin)) return null;
  return parsedUrl(origin)?.origin === origin ? origin : null;
}
