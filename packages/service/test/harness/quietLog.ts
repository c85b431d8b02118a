import type { DatabaseLog } from '../../src/kit/db/database.js';

/** A log for tests that do not look at it. */
export const quietLog: DatabaseLog = { info() {}, warn() {}, error() {} };
