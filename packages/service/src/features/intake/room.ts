import type { HelperProgram } from '../../kit/backpressure/helperThread.js';
import type { TrafficCount } from '../../kit/backpressure/traffic.js';
import type { TextSeparator } from '../../kit/http/jsonBody.js';
import type { RouteTable } from '../../kit/http/route.js';
import type { JobHandler } from '../../kit/jobs/jobs.js';
import type { OnRecomputed } from '../../ledger/recompute/queue.js';
import type { Sweep } from '../../ledger/sweep.js';
import { removeOldTexts } from '../../ledger/text/removeOldTexts.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { eventRoutes } from './events/routes.js';
import { createImportThread, type ImportThread, inImportThread } from './imports/importThread.js';
import { removeOldIssues } from './imports/removeOldIssues.js';
import { importRoutes } from './imports/routes.js';
import { importHandler } from './imports/runImport.js';
import { takeFile } from './imports/takeFile.js';
import { ingestRoutes } from './ingest/routes.js';

interface IntakeDeps extends ServiceDeps {
  /** The program of the import thread. Without it the main thread does its work. */
  importProgram: HelperProgram | undefined;
  /** Requests of this process; the import thread reads the count. */
  requests: TrafficCount;
  /** True while requests need the processor. */
  mustYield(): boolean;
  /** Whether this process works on queued jobs itself. */
  runsWorker: boolean;
  /** Called after each recompute that the import thread commits. */
  onRecomputed: OnRecomputed;
}

export interface IntakeRoom {
  routes: readonly RouteTable[];
  jobHandlers: readonly JobHandler[];
  sweeps: { retention: readonly Sweep[] };
  /** Parses a large JSON body in the import thread; undefined if there is no thread. */
  readLargeJson: TextSeparator | undefined;
  /** Whether the import thread is recording rows. Under traffic it then recomputes scores, too. */
  isRecording(): boolean;
  close(): Promise<void>;
}

/** Events, ingested records and imports: everything that platforms report. */
export function intakeRoom(deps: IntakeDeps): IntakeRoom {
  const thread = importThreadOf(deps);
  return {
    routes: [
      eventRoutes(deps),
      ingestRoutes(deps),
      importRoutes({ ...deps, readFile: thread?.readFile ?? takeFile }),
    ],
    jobHandlers: [importJobs(deps, thread)],
    sweeps: { retention: textSweeps(deps) },
    readLargeJson: thread?.separateText,
    isRecording: () => thread?.isRecording() === true,
    async close() {
      await thread?.close();
    },
  };
}

/** RETENTION_TEXT_DAYS: off unless set. */
function textSweeps({ db, config: { retentionTextDays: days } }: IntakeDeps): Sweep[] {
  return days === undefined ? [] : [removeOldTexts(db, days), removeOldIssues(db, days)];
}

function importThreadOf(deps: IntakeDeps): ImportThread | null {
  const { importProgram, config, db, requests, log, wakes, onRecomputed } = deps;
  if (!importProgram) return null;
  const { databaseUrl, stateFolder, importMaxStoredErrors, disputeWindowMs, velocityMaxPerHour } = config;
  const { group } = db;
  const limits = { importMaxStoredErrors, disputeWindowMs, velocityMaxPerHour };
  const data = { databaseUrl, stateFolder, group, ...limits, requests };
  return createImportThread({ program: importProgram, data, log, wakes, onRecomputed });
}

function importJobs(
  { config, db, clock, ids, erased, ledger, wakes }: IntakeDeps,
  thread: ImportThread | null,
): JobHandler {
  const scoresFollow = async () => wakes.raise('scores');
  const imports = importHandler({ config, db, clock, ids, erased, ledger, wakes, scoresFollow });
  // The embedded database has one connection, and the main thread owns it.
  return thread && db.engine === 'postgresql' ? inImportThread(imports, thread, db) : imports;
}
