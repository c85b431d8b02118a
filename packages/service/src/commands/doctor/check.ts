import { isDatabaseUnavailable } from '../../kit/db/database.js';
import { isForOperator } from '../../start/exit.js';

/** One line of the doctor. A warning does not keep the service from starting. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'FAIL';
  /** What was found; if that is not good, what to do. */
  readonly text: string;
}

export function fine(name: string, text: string): Check {
  return { name, status: 'ok', text };
}

export function warning(name: string, text: string): Check {
  return { name, status: 'warn', text };
}

export function failed(name: string, text: string): Check {
  return { name, status: 'FAIL', text };
}

/** Errors for the operator become failed checks. */
export async function checked(name: string, work: Promise<Check[]>): Promise<Check[]> {
  try {
    return await work;
  } catch (error) {
    if (isForOperator(error) || isDatabaseUnavailable(error)) return [failed(name, error.message)];
    throw error;
  }
}
