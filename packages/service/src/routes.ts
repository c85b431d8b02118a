import { campaignRoutes } from './features/attestation/campaigns/routes.js';
import { confirmationRoutes } from './features/attestation/confirmations/routes.js';
import { disputeRoutes } from './features/attestation/disputes/routes.js';
import { referenceRoutes } from './features/attestation/references/routes.js';
import { badgeRoutes } from './features/credentials/badges/routes.js';
import { credentialRoutes } from './features/credentials/credentials/routes.js';
import { earningsClaims } from './features/credentials/earnings/earningsClaims.js';
import { earningsRoutes } from './features/credentials/earnings/routes.js';
import type { Issuer } from './features/credentials/issuing/issuer.js';
import type { LoadShared } from './features/credentials/issuing/sharedRecords.js';
import type { ShareTokens } from './features/credentials/issuing/shareTokens.js';
import { professionalRecordClaims } from './features/credentials/professionalRecord/professionalRecordClaims.js';
import { professionalRecordRoutes } from './features/credentials/professionalRecord/routes.js';
import { professionalProfile } from './features/credentials/professionalRecord/sharedProfile.js';
import { reportRoutes } from './features/credentials/report/routes.js';
import { shareTokenRoutes } from './features/credentials/shareTokens/routes.js';
import { outcomeClaims } from './features/credentials/verify/outcomeClaims.js';
import { sharedRecordRoutes } from './features/credentials/verify/recordRoutes.js';
import { verifyRoutes } from './features/credentials/verify/routes.js';
import { walletRoutes } from './features/credentials/wallets/routes.js';
import { analyticsRoutes } from './features/insight/analytics/routes.js';
import { benchmarkRoutes } from './features/insight/benchmarks/routes.js';
import { recordRoutes } from './features/insight/records/routes.js';
import { riskRoutes } from './features/insight/risk/routes.js';
import { screeningRoutes } from './features/insight/screenings/routes.js';
import { trustRoutes } from './features/insight/trust/routes.js';
import { eventRoutes } from './features/intake/events/routes.js';
import { importRoutes } from './features/intake/imports/routes.js';
import type { FileReader } from './features/intake/imports/takeFile.js';
import { ingestRoutes } from './features/intake/ingest/routes.js';
import { channelRoutes } from './features/notify/channels/routes.js';
import { monitorRoutes } from './features/notify/monitors/routes.js';
import { policyRoutes } from './features/notify/policies/routes.js';
import { streamRoutes } from './features/notify/stream/routes.js';
import type { Streams } from './features/notify/stream/streams.js';
import { directoryRoutes } from './features/notify/webhooks/directoryRoutes.js';
import { webhookRoutes } from './features/notify/webhooks/routes.js';
import type { ServiceDeps } from './features/serviceDeps.js';
import { careerRoutes } from './features/subjects/career/routes.js';
import { linkRoutes } from './features/subjects/links/routes.js';
import { profileRoutes } from './features/subjects/profile/routes.js';
import { scoreRoutes } from './features/subjects/scores/routes.js';
import { subjectRoutes } from './features/subjects/subjects/routes.js';
import { userRoutes } from './features/subjects/users/routes.js';
import { catalogueRoutes } from './features/system/catalogues/routes.js';
import { sandboxRoutes } from './features/system/sandbox/routes.js';
import { describeApi } from './features/system/system/describeApi.js';
import { systemRoutes } from './features/system/system/routes.js';
import { activityRoutes } from './features/tenancy/activity/routes.js';
import { operatorRoutes } from './features/tenancy/operator/routes.js';
import type { Sweeps } from './features/tenancy/operator/sweeps.js';
import type { KeyUses } from './features/tenancy/platforms/keyUses.js';
import { ownPlatformRoutes } from './features/tenancy/platforms/ownRoutes.js';
import { platformRoutes } from './features/tenancy/platforms/routes.js';
import type { UsageMeter } from './features/tenancy/usage/meter.js';
import { usageRoutes } from './features/tenancy/usage/routes.js';
import type { TextModel } from './kit/ai.js';
import type { Metrics } from './kit/http/metrics.js';
import { type FindOwner, operatorTwins } from './kit/http/operatorTwins.js';
import type { RouteTable } from './kit/http/route.js';
import type { LoadOutcomes } from './ledger/profile/outcomeRecords.js';
import { findLiveOwner } from './ledger/requests/knownPlatform.js';
import type { KeyRing } from './ledger/signingKeys.js';
import { achievementRoutes } from './pages/achievements/routes.js';
import { docsRoutes } from './pages/docs/routes.js';
import { embedRoutes } from './pages/embed/routes.js';
import { hostedRoutes } from './pages/hosted/routes.js';
import { reportPage } from './pages/report/reportPage.js';
import { verifyPageRoutes } from './pages/verify/routes.js';

/** What the rooms are built from: what is everybody's, and what belongs to one room. */
export interface RouteDeps extends ServiceDeps {
  metrics: Metrics;
  readiness: { readonly isReady: boolean };
  sweeps: Sweeps;
  keyUses: KeyUses;
  meter: UsageMeter;
  readFile: FileReader;
  /** True while requests need the processor. */
  mustYield(): boolean;
  /** This process does what is queued (ROLE). */
  runsWorker: boolean;
  messageKeys: KeyRing;
  issuer: Issuer;
  shareTokens: ShareTokens;
  loadShared: LoadShared;
  loadOutcomes: LoadOutcomes;
  streams: Streams;
  /** Null unless the operator has set one up. */
  ai: TextModel | null;
  /** A change of keys or platforms made here holds from the next request on. */
  forgetKeys(): void;
}

/** The table of every operation: the features' tables, joined. A name that stands twice is a mistake of ours. */
export function buildRoutes(deps: RouteDeps): RouteTable {
  const document = describeApi(() => table, deps.config.baseUrl);
  const sharedProfile = professionalProfile(deps.db);
  const table: RouteTable = join(
    [
      eventRoutes(deps),
      ingestRoutes(deps),
      streamRoutes(deps),
      scoreRoutes(deps),
      trustRoutes(deps),
      recordRoutes(deps),
      riskRoutes(deps),
      benchmarkRoutes(deps),
      analyticsRoutes(deps),
      disputeRoutes(deps),
      userRoutes(deps),
      subjectRoutes(deps),
      linkRoutes(deps),
      shareTokenRoutes(deps),
      verifyRoutes({ ...deps, sharedProfile }),
      verifyPageRoutes({ ...deps, sharedProfile }),
      sharedRecordRoutes(deps),
      credentialRoutes(deps),
      earningsRoutes(deps),
      professionalRecordRoutes(deps),
      reportRoutes({ ...deps, showReport: reportPage(deps.config) }),
      careerRoutes(deps),
      badgeRoutes(deps),
      walletRoutes({
        ...deps,
        claimSources: [professionalRecordClaims, earningsClaims, ...outcomeClaims(deps.loadOutcomes)],
      }),
      importRoutes(deps),
      confirmationRoutes(deps),
      campaignRoutes(deps),
      profileRoutes(deps),
      referenceRoutes(deps),
      platformRoutes(deps),
      ownPlatformRoutes(deps),
      webhookRoutes(deps),
      monitorRoutes(deps),
      policyRoutes(deps),
      usageRoutes(deps),
      activityRoutes(deps),
      operatorRoutes(deps),
      channelRoutes(deps),
      directoryRoutes(deps),
      screeningRoutes(deps),
      sandboxRoutes(deps),
      catalogueRoutes(deps),
      systemRoutes({ ...deps, document }),
      docsRoutes({ document }),
      achievementRoutes(deps),
      hostedRoutes(deps),
      embedRoutes(deps),
    ],
    (id) => findLiveOwner(deps.db, id),
  );
  return table;
}

function join(tables: readonly RouteTable[], findOwner: FindOwner): RouteTable {
  const joined: Record<string, RouteTable[string]> = {};
  const withTwins = tables.flatMap((table) => [table, operatorTwins(table, findOwner)]);
  for (const [name, line] of withTwins.flatMap((table) => Object.entries(table))) {
    if (joined[name]) throw new Error(`${name} stands in two tables`);
    joined[name] = line;
  }
  return joined;
}
