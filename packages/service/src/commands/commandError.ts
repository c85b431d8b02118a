import { z } from 'zod';

/** An error that the user of a command can fix. It is printed without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

const Details = z.array(z.object({ path: z.string(), message: z.string() }));

/** The text of an error response, with a line for each invalid field. */
export function refusalText(code: string, message: string, details: unknown): string {
  const invalid = Details.safeParse(details).data ?? [];
  if (invalid.length === 0) return `${message} (${code})`;
  return [
    `${HEADLINES[code] ?? message} (${code})`,
    ...invalid.map((detail) => `  ${detail.path}: ${detail.message}`),
  ].join('\n');
}

/** Replace messages that repeat the first detail. */
const HEADLINES: Readonly<Record<string, string>> = {
  INGEST_MAPPING_INVALID: 'The mapping is invalid:',
  VALIDATION_ERROR: 'The service rejected the request:',
};
