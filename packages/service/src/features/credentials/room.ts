import type { RouteTable } from '../../kit/http/route.js';
import { createInclusionLoader, type LoadInclusion } from '../../ledger/log/inclusion.js';
import { createKeyRing, type KeyRing } from '../../ledger/signingKeys.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { badgeRoutes } from './badges/routes.js';
import { credentialRoutes } from './credentials/routes.js';
import { earningsClaims } from './earnings/readEarnings.js';
import { earningsRoutes } from './earnings/routes.js';
import { createIssuer } from './issuing/issuer.js';
import { createSharedRecordLoader, type LoadShared } from './issuing/sharedRecords.js';
import { createShareTokens, type ShareTokens } from './issuing/shareTokens.js';
import { logRoutes } from './log/routes.js';
import {
  professionalProfile,
  professionalRecordClaims,
} from './professionalRecord/professionalRecordClaims.js';
import { professionalRecordRoutes } from './professionalRecord/routes.js';
import { type ReportDeps, reportRoutes } from './report/routes.js';
import { shareTokenRoutes } from './shareTokens/routes.js';
import { outcomeClaims } from './verify/outcomeClaims.js';
import { sharedRecordRoutes } from './verify/recordRoutes.js';
import { verifyRoutes } from './verify/routes.js';
import type { SharedProfile } from './verify/schemas.js';
import { createOfferLoader, type LoadOffer } from './wallets/loadOffer.js';
import { createWalletProtocol } from './wallets/protocol.js';
import { walletRoutes } from './wallets/routes.js';
import { witnessRoutes } from './witness/routes.js';

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
