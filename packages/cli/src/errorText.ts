import { ReliabilityConnectionError, ReliabilityError } from '@reliability/client';
import { CommandError } from './commandError.js';
import { exitCodes } from './exitCodes.js';

/** How an error is printed. */
export interface Printed {
  readonly text: string;
  readonly exitCode: number;
  /** For programs: the code of the service, or of this command line. */
  readonly code: string;
}

/** The error as text and exit code; null for a bug, which needs its stack. */
export function printedError(error: unknown): Printed | null {
  if (error instanceof CommandError)
    return { text: error.message, exitCode: error.exitCode, code: error.name };
  if (error instanceof ReliabilityError) {
    const text = refusalText(error.code, error.message, error.details);
    return { text: withAdvice(error, text), exitCode: exitCodes.failed, code: error.code };
  }
  if (error instanceof ReliabilityConnectionError)
    return { text: unreachable(error), exitCode: exitCodes.failed, code: 'UNREACHABLE' };
  return null;
}

function withAdvice({ status, requestId }: ReliabilityError, text: string): string {
  if (status === 401) return `${text}\nSet another key in RELIABILITY_KEY, in the profile or with --key.`;
  return status >= 500 && requestId ? `${text}\nRequest id: ${requestId}` : text;
}

/** The text of an error response, with a line for each invalid field. */
export function refusalText(code: string, message: string, details: unknown): string {
  const invalid = (Array.isArray(details) ? details : []).filter(isInvalidField);
  if (invalid.length === 0) return `${message} (${code})`;
  const lines = invalid.map(({ path, message: reason }) => `  ${path}: ${reason}`);
  return [`${HEADLINES[code] ?? message} (${code}):`, ...lines].join('\n');
}

function isInvalidField(detail: unknown): detail is { path: string; message: string } {
  return typeof detail === 'object' && detail !== null && 'path' in detail && 'message' in detail;
}

/** Replace messages that repeat the first detail. */
const HEADLINES: Readonly<Record<string, string>> = {
  INGEST_MAPPING_INVALID: 'The mapping is invalid',
  VALIDATION_ERROR: 'The service rejected the request',
};

function unreachable(error: ReliabilityConnectionError): string {
  return `${error.message}${reasonOf(error)}. Start the service, or give its address with --url or RELIABILITY_URL.`;
}

/** ` (ECONNREFUSED)`: fetch hides it two causes down. */
export function reasonOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') return ` (${at.code})`;
  }
  return '';
}
