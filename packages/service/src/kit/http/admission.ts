import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '#domain/errors.js';
import type { CsvStream } from '../csv.js';
import type { FailedLogins, OpenShare } from './limits.js';
import {
  ANONYMOUS,
  callsOfRows,
  countsAgainstQuota,
  type Meter,
  type Month,
  showMonth,
  type Throttle,
  takeFromMonth,
} from './limits.js';
import type { Access, Caller, KeyCaller, Route } from './route.js';

/** @param last the caller that it was last found for. Throws RATE_LIMIT_EXCEEDED. */
export type BeforeLookUp = (last: Caller | null) => void;

export interface Authenticator {
  /** Throws UNAUTHORIZED, and what `beforeLookUp` throws. */
  identify(access: Access, request: FastifyRequest, beforeLookUp: BeforeLookUp): Caller | Promise<Caller>;
  /** Throws SCOPE_INSUFFICIENT or PLAN_REQUIRED. */
  authorize(route: Route, caller: Caller, request: FastifyRequest): void;
}

/** Without throttle and meter nothing is limited or counted. */
export interface Admission {
  readonly authenticator: Authenticator;
  readonly throttle?: Throttle;
  readonly meter?: Meter;
  readonly failedLogins?: FailedLogins;
  readonly openShare?: OpenShare;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    month: Month | null;
    /** It writes nothing, so it is not counted either. */
    isDryRun: boolean;
  }
}

export async function admit(
  admission: Admission,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { authenticator, throttle, meter, openShare } = admission;
  const caller = await callerOf(admission, route, request, reply);
  request.caller = caller;
  if (!route.unmetered) await throttle?.admit(caller, route, request, reply);
  if (route.perTokenPerMinute) await throttle?.admitToken(route.perTokenPerMinute, request);
  if (meter && isMetered(caller) && caller.livemode) {
    const month = await meter.monthOf(caller);
    if (route.quotaFree) showMonth(month, reply);
    else {
      takeFromMonth(month, reply);
      if (request.isDryRun) {
        month.charge(-1);
        showMonth(month, reply);
      } else request.month = month;
    }
  }
  authenticator.authorize(route, caller, request);
  openShare?.(caller.kind === 'key' ? caller.platformId : caller.kind, request, reply);
}

function isMetered(caller: Caller | null): caller is KeyCaller {
  return caller?.kind === 'key' && !caller.isOperatorsView;
}

async function callerOf(
  { authenticator, throttle, failedLogins }: Admission,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const { access } = route;
  try {
    return await authenticator.identify(access, request, (last) => {
      if (!route.unmetered) throttle?.refuseSpent(last ?? ANONYMOUS, route, request, reply);
    });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'RATE_LIMIT_EXCEEDED') throw error;
    // A refused key counts against the address, also when it was refused for its network. An
    // unavailable database is not the caller's fault.
    const isGuess = error instanceof ServiceError && error.status < 500;
    if (isGuess && access.kind !== 'public' && isPresented(access, request)) {
      failedLogins?.note(access.kind, error.code, request);
    }
    if (isGuess) await throttle?.admitAnonymous(request, reply);
    else await throttle?.noteAnonymous(request, reply);
    throw error;
  }
}

/** A request without credentials is not a log-in attempt. */
function isPresented({ kind }: Access, { headers }: FastifyRequest): boolean {
  return headers[kind === 'operator' ? 'x-admin-secret' : 'authorization'] !== undefined;
}

export function countAnswer(meter: Meter, name: string, request: FastifyRequest, reply: FastifyReply): void {
  const { caller, month, isDryRun } = request;
  if (!isMetered(caller)) return;
  if (month && !countsAgainstQuota(reply.statusCode)) month.charge(-1);
  if (!isDryRun) meter.count(caller, name, reply.statusCode, 1, 1);
}

/** Counts the rows of an export when it ends, also if the reader has disconnected. */
export function countRows(meter: Meter, name: string, request: FastifyRequest, rows: CsvStream): void {
  const { caller, month } = request;
  if (!isMetered(caller)) return;
  const charge = () => {
    rows.off('end', charge).off('close', charge);
    const more = callsOfRows(rows.rowsWritten) - 1;
    if (more === 0) return;
    month?.charge(more);
    meter.count(caller, name, 200, 0, more);
  };
  // `end` fires before the answer is complete, so the reader finds it counted. A reader that
  // disconnects causes only `close`.
  rows.once('end', charge).once('close', charge);
}
