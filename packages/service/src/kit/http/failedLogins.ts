import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../domain/errorCatalog.js';
import type { Clock } from '../clock.js';
import { networkOf } from '../networks.js';

type Kind = 'key' | 'operator';

export type FailedLogins = ReturnType<typeof createFailedLogins>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Already logged as a failed log-in; its refusal is not logged again. */
    isFailedLogin: boolean;
  }
}

const WINDOW_MS = 60_000;
const ENTRIES_PER_NETWORK = 10;
const ENTRIES_IN_TOTAL = 200;

/**
 * Logs each failed log-in with its address, and counts it. A flood does not fill the disk: beyond
 * ten lines a minute for one network, or two hundred in total, it is only counted, and the next
 * line says how many were left out.
 */
export function createFailedLogins(clock: Clock, count: (kind: Kind, failed: number) => void) {
  let windowEndMs = 0;
  let entriesLeft = 0;
  let leftOut = 0;
  const linesOf = new Map<string, number>();
  for (const kind of ['key', 'operator'] as const) count(kind, 0); // a counter must exist before a rate can be computed
  return {
    /** A key or an admin secret was presented and refused. */
    note(kind: Kind, code: ErrorCode, request: FastifyRequest): void {
      count(kind, 1);
      request.isFailedLogin = true;
      if (!takeEntry(networkOf(request.ip))) {
        leftOut += 1;
        return;
      }
      const facts = { kind, code, address: request.ip, method: request.method, route: request.pattern };
      request.log.warn(leftOut === 0 ? facts : { ...facts, leftOut }, 'a log-in failed');
      leftOut = 0;
    },
  };

  function takeEntry(network: string): boolean {
    const nowMs = clock.now().getTime();
    if (nowMs >= windowEndMs) {
      windowEndMs = nowMs + WINDOW_MS;
      entriesLeft = ENTRIES_IN_TOTAL;
      linesOf.clear();
    }
    const lines = linesOf.get(network) ?? 0;
    if (entriesLeft === 0 || lines >= ENTRIES_PER_NETWORK) return false;
    entriesLeft -= 1;
    linesOf.set(network, lines + 1);
    return true;
  }
}
