import { attestationRoom } from '../features/attestation/room.js';
import { credentialsRoom } from '../features/credentials/room.js';
import { insightRoom } from '../features/insight/room.js';
import { intakeRoom } from '../features/intake/room.js';
import { notifyRoom } from '../features/notify/room.js';
import { subjectsRoom } from '../features/subjects/room.js';
import { systemRoom } from '../features/system/room.js';
import type { Readiness } from '../features/system/system/checkHealth.js';
import type { SweepTimers } from '../features/tenancy/operator/startSweeps.js';
import { tenancyRoom } from '../features/tenancy/room.js';
import type { HelperProgram } from '../kit/backpressure/helperThread.js';
import type { Database } from '../kit/db/database.js';
import type { OpenApiDocument } from '../kit/http/openapiTypes.js';
import { backtestPage } from '../pages/backtest/backtestPage.js';
import { reportPage } from '../pages/report/reportPage.js';
import type { Core } from './core.js';

export interface RoomDeps extends Core {
  /** Undefined: the operator API is closed. */
  adminSecret: string | undefined;
  readiness: Readiness;
  /** The ledger groups without those whose server does not answer. */
  reachableGroups(): Promise<readonly Database[]>;
  /** The program of a thread for large imports. Undefined: the main thread does them. */
  importProgram: HelperProgram | undefined;
  /** Time between two heartbeats of a live stream. Default: 15 s. */
  streamHeartbeatMs: number | undefined;
  /** Timers of the schedule of sweeps. Default: those of Node. */
  sweepTimers?: SweepTimers | undefined;
  /** The OpenAPI document of all routes. */
  document(): Promise<OpenApiDocument>;
}

export type Rooms = ReturnType<typeof buildRooms>;

/**
 * The eight rooms. They never import one another: what one needs of another is handed over here.
 */
export function buildRooms(deps: RoomDeps) {
  const intake = intakeRoom(deps);
  const attestation = attestationRoom(deps);
  const credentials = credentialsRoom({ ...deps, showReport: reportPage(deps.config) });
  const subjects = subjectsRoom({
    ...deps,
    shareTokens: credentials.shareTokens,
    lapseErased: attestation.lapseErased,
  });
  const insight = insightRoom({ ...deps, showBacktest: backtestPage(deps.config) });
  const notify = notifyRoom(deps);
  const tenancy = tenancyRoom({
    ...deps,
    sweeps: [
      intake.sweeps,
      attestation.sweeps,
      notify.sweeps,
      subjects.sweeps,
      insight.sweeps,
      credentials.sweeps,
    ],
    scheduled: { benchmarks: [...insight.scheduledBenchmarks, ...subjects.sweeps.benchmarks] },
    onKeysChanged: () => notify.streams.checkKeys(),
  });
  const system = systemRoom(deps);
  return { intake, subjects, attestation, credentials, insight, notify, tenancy, system };
}
