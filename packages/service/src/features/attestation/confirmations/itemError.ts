import type { ServiceError } from '../../../domain/errors.js';

/** Why an item of a batch or a row of a campaign was not taken. */
export interface ItemError {
  code: string;
  message: string;
  details?: unknown;
}

export function errorOf({ code, message, details }: ServiceError): ItemError {
  return details === undefined ? { code, message } : { code, message, details };
}
