import type { RouteTable } from '../../kit/http/route.js';
import { createIssuer } from '../../ledger/issuing/issuer.js';
import { createShareTokens, type ShareTokens } from '../../ledger/issuing/shareTokens.js';
import { createInclusionLoader, type LoadInclusion } from '../../ledger/log/inclusion.js';
import { createKeyRing, type KeyRing } from '../../ledger/signingKeys.js';
import { earningsClaims } from '../records/earnings/readEarnings.js';
import { earningsRoutes } from '../records/earnings/routes.js';
import {
  professionalProfile,
  professionalRecordClaims,
} from '../records/professionalRecord/professionalRecordClaims.js';
import { professionalRecordRoutes } from '../records/professionalRecord/routes.js';
import { type ReportDeps, reportRoutes } from '../records/report/routes.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { logRoutes } from '../transparency/log/routes.js';
import { witnessRoutes } from '../transparency/witness/routes.js';
import { badgeRoutes } from './badges/routes.js';
import { credentialRoutes } from './credentials/routes.js';
import { shareTokenRoutes } from './shareTokens/routes.js';
import { outcomeClaims } from './verify/outcomeClaims.js';
import { sharedRecordRoutes } from './verify/recordRoutes.js';
import { verifyRoutes } from './verify/routes.js';
import type { SharedProfile } from './verify/schemas.js';
import { createSharedRecordLoader, type LoadShared } from './verify/sharedRecords.js';
import { createOfferLoader, type LoadOffer } from './wallets/loadOffer.js';
import { createWalletProtocol } from './wallets/protocol.js';
import { walletRoutes } from './wallets/routes.js';

interface CredentialsDeps extends ServiceDeps {
  /** Keys of purpose 'log'. */
  logKeys: KeyRing;
  /** The report as a page to print. */
  showReport: ReportDeps['showReport'];
}

export interface CredentialsRoom {
  routes: readonly RouteTable[];
  /** Finds a subject's active share token, for its career export. */
  shareTokens: Pick<ShareTokens, 'findActive'>;
  /** What a share token opens, for the pages that show it. */
  loadShared: LoadShared;
  /** Whether the log holds a snapshot, for the same pages. */
  loadInclusion: LoadInclusion;
  /** The professional profile of a shared record, for the same pages. */
  sharedProfile: SharedProfile;
  /** A credential offer, for its page. */
  loadOffer: LoadOffer;
}

/** What a subject takes elsewhere: share tokens, credentials, wallets, badges, reports. */
export function credentialsRoom(given: CredentialsDeps): CredentialsRoom {
  const { config, db, vault, clock, ids, loadOutcomes } = given;
  const credentialKeys = createKeyRing(db, vault, clock, 'credential');
  const deps = {
    ...given,
    issuer: createIssuer({ config, credentialKeys }),
    shareTokens: createShareTokens({ vault, ids, config }),
    loadShared: createSharedRecordLoader(db),
    loadInclusion: createInclusionLoader(db),
    sharedProfile: professionalProfile(db),
    witnessKeys: createKeyRing(db, vault, clock, 'witness'),
  };
  const claimSources = [professionalRecordClaims, earningsClaims, ...outcomeClaims(loadOutcomes)];
  const wallets = { ...deps, claimSources, protocol: createWalletProtocol(config.baseUrl, claimSources) };
  return {
    routes: [
      shareTokenRoutes(deps),
      verifyRoutes(deps),
      sharedRecordRoutes(deps),
      credentialRoutes(deps),
      earningsRoutes(deps),
      professionalRecordRoutes(deps),
      reportRoutes(deps),
      badgeRoutes(deps),
      logRoutes(deps),
      witnessRoutes(deps),
      walletRoutes(wallets),
    ],
    shareTokens: deps.shareTokens,
    loadShared: deps.loadShared,
    loadInclusion: deps.loadInclusion,
    sharedProfile: deps.sharedProfile,
    loadOffer: createOfferLoader(wallets),
  };
}
