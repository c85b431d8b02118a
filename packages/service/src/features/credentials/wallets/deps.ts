import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { Vault } from '../../../kit/vault.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';
import type { ClaimSource } from '../issuing/claimSources.js';
import type { Issuer } from '../issuing/issuer.js';
import type { ShareTokens } from '../issuing/shareTokens.js';
import type { WalletProtocol } from './protocol.js';

export interface WalletSources {
  db: Database;
  clock: Clock;
  ids: IdSource;
  vault: Vault;
  withIdempotency: WithIdempotency;
  issuer: Issuer;
  shareTokens: ShareTokens;
  config: { baseUrl: string };
  /** What can be offered, each type once. */
  claimSources: readonly ClaimSource[];
}

export interface WalletDeps extends WalletSources {
  protocol: WalletProtocol;
}
