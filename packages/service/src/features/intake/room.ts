import type { HelperProgram } from '#kit/backpressure/helperThread.js';
import type { TextSeparator } from '#kit/http/bodies.js';
import type { RouteTable } from '#kit/http/route.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { eventRoutes } from './events/routes.js';
import type { ProjectOutcomes } from './foresee.js';
import { detectFormats } from './imports/detect.js';
import { createImportThread, takeFile } from './imports/importThread.js';
import { importRoutes } from './imports/routes.js';
import { ingestRoutes } from './ingest/ingest.js';
import { namingPersons } from './namePerson.js';

interface IntakeDeps extends ServiceDeps {
  /** The program of the import thread. Without it the main thread does its work. */
  importProgram: HelperProgram | undefined;
  /** True while requests need the processor. */
  mustYield(): boolean;
  /** Whether this process works on queued jobs itself. */
  runsWorker: boolean;
  /** Of another room. */
  projectOutcomes: ProjectOutcomes;
}

interface IntakeRoom {
  routes: readonly RouteTable[];
  /** Parses a large JSON body in the import thread; undefined if there is no thread. */
  readLargeJson: TextSeparator | undefined;
  close(): Promise<void>;
}

/** Events, ingested records and imports: everything that platforms report. */
export function intakeRoom(given: IntakeDeps): IntakeRoom {
  const deps = { ...given, ledger: namingPersons(given) };
  const { importProgram } = deps;
  const thread = importProgram ? createImportThread(importProgram) : null;
  return {
    routes: [
      eventRoutes(deps),
      ingestRoutes(deps),
      importRoutes({
        ...deps,
        readFile: thread?.readFile ?? takeFile,
        detect: thread?.detect ?? detectFormats,
      }),
    ],
    readLargeJson: thread?.separateText,
    async close() {
      await thread?.close();
    },
  };
}
