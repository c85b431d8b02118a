import { isDatabaseUnavailable } from '../../kit/db/database.js';
import { isForOperator } from '../../start/exit.js';

/** One line of the doctor. A warning does not keep the service from starting. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'FAIL';
  /** What was found; if that is not good, what to do. */
  readonly text: string;
}

/** What a check found, with a name if it is not that of the check. */
export type Finding = Omit<Check, 'name'> & { readonly name?: string };

export function fine(text: string): Finding {
  return { status: 'ok', text };
}

export function warning(text: string): Finding {
  return { status: 'warn', text };
}

export function failed(text: string): Finding {
  return { status: 'FAIL', text };
}

/** The lines of a check. An error for the operator becomes one that failed. */
export async function* checked(name: string, findings: AsyncIterable<Finding>): AsyncGenerator<Check> {
  try {
    for await (const finding of findings) yield { name, ...finding };
  } catch (error) {
    if (!isForOperator(error) && !isDatabaseUnavailable(error)) throw error;
    yield { name, ...failed(error.message) };
  }
}
