import { type EarningsRouteDeps, earningsClaims, earningsRoutes } from './earnings/routes.js';
import {
  professionalProfile,
  professionalRecordClaims,
  professionalRecordRoutes,
} from './professionalRecord.js';
import { type ReportDeps, reportRoutes } from './report.js';

/** What a record amounts to: earnings, the professional record, the report. */
export function recordsRoom(deps: EarningsRouteDeps & ReportDeps) {
  return {
    routes: [earningsRoutes(deps), professionalRecordRoutes(deps), reportRoutes(deps)],
    /** The credentials about these records, for wallets. */
    claimSources: [professionalRecordClaims, earningsClaims],
    /** The profile that a share token shows if its subject agrees (RULES C3). */
    sharedProfile: professionalProfile(deps.db),
  };
}
