import type { DatabaseLog } from '#kit/db/database.js';

/** A log for tests that do not check it. */
export const quietLog: DatabaseLog = { info() {}, warn() {}, error() {} };
