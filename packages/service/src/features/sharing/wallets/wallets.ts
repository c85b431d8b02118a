import { issueToWallet, makeNonce } from './issueToWallet.js';
import { createOffer, createOfferLoader, readOffer } from './offers.js';
import { createWalletProtocol, type WalletDeps } from './protocol.js';
import { redeemCode } from './redeemCode.js';

export type Wallets = ReturnType<typeof createWallets>;

/** What needs the protocol's library. */
export function createWallets(given: Omit<WalletDeps, 'protocol'>) {
  const protocol = createWalletProtocol(given.config.baseUrl, given.claimSources);
  const deps = { ...given, protocol };
  const withDeps =
    <Given extends unknown[], Answer>(work: (deps: WalletDeps, ...rest: Given) => Answer) =>
    (...rest: Given) =>
      work(deps, ...rest);
  return {
    protocol,
    createOffer: withDeps(createOffer),
    readOffer: withDeps(readOffer),
    redeemCode: withDeps(redeemCode),
    issueToWallet: withDeps(issueToWallet),
    makeNonce: () => makeNonce(given.vault, given.clock.now()),
    loadOffer: createOfferLoader(deps),
  };
}
