import type { CredentialDeps } from '#ledger/issuing/answerWithCredential.js';
import type { ClaimSource } from '#ledger/issuing/issuer.js';
import type { RecordLinks } from '#ledger/issuing/recordLinks.js';
import { createInclusionLoader } from '#ledger/log/inclusion.js';
import type { KeyRing } from '#ledger/signingKeys.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { agentCardRoutes } from './agentCard.js';
import { badgeRoutes } from './badges.js';
import { credentialRoutes } from './credentials/routes.js';
import { recordLinkRoutes } from './recordLinks.js';
import { shareTokenRoutes } from './shareTokens.js';
import type { SharedProfile } from './verify/readShared.js';
import { verifyRoutes } from './verify/readShared.js';
import { outcomeClaims, sharedRecordRoutes } from './verify/readSharedRecord.js';
import { createSharedRecordLoader } from './verify/sharedRecords.js';
import { walletRoutes } from './wallets/routes.js';
import type { Wallets } from './wallets/wallets.js';

interface SharingDeps extends ServiceDeps, CredentialDeps {
  /** Keys of purpose 'log'. */
  logKeys: KeyRing;
  /** The credentials of other rooms that wallets can have. */
  claimSources: readonly ClaimSource[];
  sharedProfile: SharedProfile;
  recordLinks: RecordLinks;
}

/** What a subject shows to others: share tokens, credentials, badges, wallets. */
export function sharingRoom(given: SharingDeps) {
  const { db, loadOutcomes } = given;
  const deps = {
    ...given,
    loadShared: createSharedRecordLoader(db),
    loadInclusion: createInclusionLoader(db),
  };
  const claimSources = [...given.claimSources, ...outcomeClaims(loadOutcomes)];
  let loaded: Promise<Wallets> | undefined;
  /** With the first request of a wallet: the protocol's library takes 5 MB, and a twentieth of the start. */
  const wallets = () => {
    loaded ??= import('./wallets/wallets.js').then((it) => it.createWallets({ ...deps, claimSources }));
    return loaded;
  };
  return {
    routes: [
      shareTokenRoutes(deps),
      recordLinkRoutes(deps),
      verifyRoutes(deps),
      agentCardRoutes(deps),
      sharedRecordRoutes(deps),
      credentialRoutes(deps),
    ],
    badges: { routes: [badgeRoutes(deps)] },
    wallets: { routes: [walletRoutes(claimSources, wallets)] },
    loadShared: deps.loadShared,
    loadInclusion: deps.loadInclusion,
    loadOffer: async (id: string) => (await wallets()).loadOffer(id),
  };
}
