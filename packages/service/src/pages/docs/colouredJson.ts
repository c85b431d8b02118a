import type { Html } from '#kit/html.js';
import { colouredCode } from './colouredCode.js';
import { atOwnAddress } from './ownAddress.js';

/** Indented JSON with coloured names and values. @param baseUrl as of `atOwnAddress` */
export function colouredJson(value: unknown, baseUrl: string): Html {
  return colouredCode(
    atOwnAddress(JSON.stringify(value, null, 2), JSON.stringify(baseUrl).slice(1, -1)),
    'json',
  );
}
