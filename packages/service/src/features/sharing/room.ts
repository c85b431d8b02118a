import type { CredentialDeps } from '#ledger/issuing/answerWithCredential.js';
import type { ClaimSource } from '#ledger/issuing/issuer.js';
import { createInclusionLoader } from '#ledger/log/inclusion.js';
import type { KeyRing } from '#ledger/signingKeys.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { badgeRoutes } from './badges.js';
import { credentialRoutes } from './credentials/routes.js';
import { shareTokenRoutes } from './shareTokens.js';
import type { SharedProfile } from './verify/readShared.js';
import { verifyRoutes } from './verify/readShared.js';
import { outcomeClaims, sharedRecordRoutes } from './verify/readSharedRecord.js';
import { createSharedRecordLoader } from './verify/sharedRecords.js';
import { createOfferLoader } from './wallets/offers.js';
import { createWalletProtocol } from './wallets/protocol.js';
import { walletRoutes } from './wallets/routes.js';

interface SharingDeps extends ServiceDeps, CredentialDeps {
  /** Keys of purpose 'log'. */
  logKeys: KeyRing;
  /** The credentials of other rooms that wallets can have. */
  claimSources: readonly ClaimSource[];
  sharedProfile: SharedProfile;
}

/** What a subject shows to others: share tokens, credentials, badges, wallets. */
export function sharingRoom(given: SharingDeps) {
  const { config, db, loadOutcomes } = given;
  const deps = {
    ...given,
    loadShared: createSharedRecordLoader(db),
    loadInclusion: createInclusionLoader(db),
  };
  const claimSources = [...given.claimSources, ...outcomeClaims(loadOutcomes)];
  const wallets = { ...deps, claimSources, protocol: createWalletProtocol(config.baseUrl, claimSources) };
  return {
    routes: [shareTokenRoutes(deps), verifyRoutes(deps), sharedRecordRoutes(deps), credentialRoutes(deps)],
    badges: { routes: [badgeRoutes(deps)] },
    wallets: { routes: [walletRoutes(wallets)] },
    loadShared: deps.loadShared,
    loadInclusion: deps.loadInclusion,
    loadOffer: createOfferLoader(wallets),
  };
}
