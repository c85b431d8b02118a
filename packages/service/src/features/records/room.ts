import type { OpenRecord } from '#ledger/issuing/recordLinks.js';
import { type EarningsRouteDeps, earningsClaims, earningsRoutes } from './earnings/routes.js';
import { type HeldDeps, heldCsv, heldJson } from './held/held.js';
import {
  professionalProfile,
  professionalRecordClaims,
  professionalRecordRoutes,
} from './professionalRecord.js';
import { type ReportDeps, reportRoutes } from './report.js';

/** What a record amounts to: earnings, the professional record, the report, everything held. */
export function recordsRoom(deps: EarningsRouteDeps & ReportDeps & HeldDeps) {
  return {
    routes: [earningsRoutes(deps), professionalRecordRoutes(deps), reportRoutes(deps)],
    /** The credentials about these records, for wallets. */
    claimSources: [professionalRecordClaims, earningsClaims],
    /** The profile that a share token shows if its subject agrees (RULES C3). */
    sharedProfile: professionalProfile(deps.db),
    /** The files of an opened record link (RULES Z11). */
    heldJson: (record: OpenRecord) => heldJson(deps, record),
    heldCsv: (record: OpenRecord) => heldCsv(deps, record),
  };
}
