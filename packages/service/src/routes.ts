import type { Config } from './config.js';
import { activityRoutes } from './features/activity/routes.js';
import { analyticsRoutes } from './features/analytics/routes.js';
import { badgeRoutes } from './features/badges/routes.js';
import { benchmarkRoutes } from './features/benchmarks/routes.js';
import { careerRoutes } from './features/career/routes.js';
import { catalogueRoutes } from './features/catalogues/routes.js';
import { channelRoutes } from './features/channels/routes.js';
import { confirmationRoutes } from './features/confirmations/routes.js';
import { credentialRoutes } from './features/credentials/routes.js';
import { disputeRoutes } from './features/disputes/routes.js';
import { earningsClaims } from './features/earnings/earningsClaims.js';
import { earningsRoutes } from './features/earnings/routes.js';
import { eventRoutes } from './features/events/routes.js';
import { importRoutes } from './features/imports/routes.js';
import type { FileReader } from './features/imports/takeFile.js';
import { ingestRoutes } from './features/ingest/routes.js';
import { linkRoutes } from './features/links/routes.js';
import { monitorRoutes } from './features/monitors/routes.js';
import { operatorRoutes } from './features/operator/routes.js';
import type { Sweeps } from './features/operator/sweeps.js';
import type { KeyUses } from './features/platforms/keyUses.js';
import { ownPlatformRoutes } from './features/platforms/ownRoutes.js';
import { platformRoutes } from './features/platforms/routes.js';
import { policyRoutes } from './features/policies/routes.js';
import { professionalRecordClaims } from './features/professionalRecord/professionalRecordClaims.js';
import { professionalRecordRoutes } from './features/professionalRecord/routes.js';
import { professionalProfile } from './features/professionalRecord/sharedProfile.js';
import { profileRoutes } from './features/profile/routes.js';
import { recordRoutes } from './features/records/routes.js';
import { referenceRoutes } from './features/references/routes.js';
import { reportRoutes } from './features/report/routes.js';
import { riskRoutes } from './features/risk/routes.js';
import { sandboxRoutes } from './features/sandbox/routes.js';
import { scoreRoutes } from './features/scores/routes.js';
import { screeningRoutes } from './features/screenings/routes.js';
import { shareTokenRoutes } from './features/shareTokens/routes.js';
import { streamRoutes } from './features/stream/routes.js';
import type { Streams } from './features/stream/streams.js';
import { subjectRoutes } from './features/subjects/routes.js';
import { describeApi } from './features/system/describeApi.js';
import { systemRoutes } from './features/system/routes.js';
import { trustRoutes } from './features/trust/routes.js';
import type { UsageMeter } from './features/usage/meter.js';
import { usageRoutes } from './features/usage/routes.js';
import { userRoutes } from './features/users/routes.js';
import { outcomeClaims } from './features/verify/outcomeClaims.js';
import { sharedRecordRoutes } from './features/verify/recordRoutes.js';
import { verifyRoutes } from './features/verify/routes.js';
import { walletRoutes } from './features/wallets/routes.js';
import { directoryRoutes } from './features/webhooks/directoryRoutes.js';
import { webhookRoutes } from './features/webhooks/routes.js';
import type { TextModel } from './kit/ai.js';
import type { Clock } from './kit/clock.js';
import type { Database } from './kit/db/database.js';
import type { Metrics } from './kit/http/metrics.js';
import type { RouteTable } from './kit/http/route.js';
import type { IdSource } from './kit/ids.js';
import type { JobSignal } from './kit/jobs/jobs.js';
import type { OutboundFetch } from './kit/outboundFetch.js';
import type { Vault } from './kit/vault.js';
import type { Ledger } from './ledger/append.js';
import type { Issuer } from './ledger/credentials/issuer.js';
import type { LoadShared } from './ledger/credentials/sharedRecords.js';
import type { ShareTokens } from './ledger/credentials/shareTokens.js';
import type { OnceRunner } from './ledger/idempotency.js';
import type { OutboxSignal } from './ledger/outbox/outboxSignal.js';
import type { LoadOutcomes } from './ledger/outcomeRecords.js';
import type { RecomputeSignal } from './ledger/recomputeSignal.js';
import type { KeyRing } from './ledger/signingKeys.js';
import { achievementRoutes } from './pages/achievements/routes.js';
import { docsRoutes } from './pages/docs/routes.js';
import { embedRoutes } from './pages/embed/routes.js';
import { hostedRoutes } from './pages/hosted/routes.js';
import { reportPage } from './pages/report/reportPage.js';
import { verifyPageRoutes } from './pages/verify/routes.js';

/** What the features are built from; each takes the parts it names. */
export interface RouteParts {
  config: Config;
  db: Database;
  clock: Clock;
  ids: IdSource;
  ledger: Ledger;
  once: OnceRunner;
  metrics: Metrics;
  readiness: { readonly isReady: boolean };
  signal: RecomputeSignal;
  sweeps: Sweeps;
  keyUses: KeyUses;
  meter: UsageMeter;
  vault: Vault;
  outbox: OutboxSignal;
  jobs: JobSignal;
  readFile: FileReader;
  /** Requests are being answered, which must not feel what is done beside them. */
  makesWay(): boolean;
  /** This process does what is queued (ROLE). */
  runsWorker: boolean;
  outbound: OutboundFetch;
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
export function buildRoutes(parts: RouteParts): RouteTable {
  const document = describeApi(() => table, parts.config.baseUrl);
  const sharedProfile = professionalProfile(parts.db);
  const table: RouteTable = join([
    eventRoutes(parts),
    ingestRoutes(parts),
    streamRoutes(parts),
    scoreRoutes(parts),
    trustRoutes(parts),
    recordRoutes(parts),
    riskRoutes(parts),
    benchmarkRoutes(parts),
    analyticsRoutes(parts),
    disputeRoutes(parts),
    userRoutes(parts),
    subjectRoutes(parts),
    linkRoutes(parts),
    shareTokenRoutes(parts),
    verifyRoutes({ ...parts, sharedProfile }),
    verifyPageRoutes({ ...parts, sharedProfile }),
    sharedRecordRoutes(parts),
    credentialRoutes(parts),
    earningsRoutes(parts),
    professionalRecordRoutes(parts),
    reportRoutes({ ...parts, showReport: reportPage(parts.config) }),
    careerRoutes(parts),
    badgeRoutes(parts),
    walletRoutes({
      ...parts,
      claimSources: [professionalRecordClaims, earningsClaims, ...outcomeClaims(parts.loadOutcomes)],
    }),
    importRoutes(parts),
    confirmationRoutes(parts),
    profileRoutes(parts),
    referenceRoutes(parts),
    platformRoutes(parts),
    ownPlatformRoutes(parts),
    webhookRoutes(parts),
    monitorRoutes(parts),
    policyRoutes(parts),
    usageRoutes(parts),
    activityRoutes(parts),
    operatorRoutes(parts),
    channelRoutes(parts),
    directoryRoutes(parts),
    screeningRoutes(parts),
    sandboxRoutes(parts),
    catalogueRoutes(parts),
    systemRoutes({ ...parts, document }),
    docsRoutes({ document }),
    achievementRoutes(parts),
    hostedRoutes(parts),
    embedRoutes(parts),
  ]);
  return table;
}

function join(tables: readonly RouteTable[]): RouteTable {
  const joined: Record<string, RouteTable[string]> = {};
  for (const [name, line] of tables.flatMap((table) => Object.entries(table))) {
    if (joined[name]) throw new Error(`${name} stands in two tables`);
    joined[name] = line;
  }
  return joined;
}
