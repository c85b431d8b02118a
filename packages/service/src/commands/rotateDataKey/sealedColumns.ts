import { EXTERNAL_ID_CONTEXT } from '#ledger/erasure/eraseSubject.js';
import { shareTokenContext } from '#ledger/issuing/shareTokens.js';
import { signingKeyContext } from '#ledger/signingKeys.js';
import { TARGET_CONTEXT } from '../../features/notify/channels/channelTarget.js';
import { WEBHOOK_SECRET } from '../../features/notify/webhooks/webhookSecrets.js';
import { GRANT_CONTEXT } from '../../features/sharing/wallets/protocol.js';

export type KeyType = 'uuid' | 'text' | 'bytea';
export type KeyValue = string | Buffer;

export interface SealedColumn {
  readonly label: string;
  readonly table: string;
  readonly column: string;
  readonly key: readonly (readonly [name: string, type: KeyType])[];
  /** The context that its texts were sealed in; see Vault. */
  context(key: readonly KeyValue[]): string;
}

function sealed(
  label: string,
  place: `${string}.${string}`,
  key: Readonly<Record<string, KeyType>>,
  context: string | SealedColumn['context'],
): SealedColumn {
  const [table = '', column = ''] = place.split('.');
  const contextOf = typeof context === 'string' ? () => context : context;
  return { label, table, column, key: Object.entries(key), context: contextOf };
}

/**
 * Every sealed column but `data_key_check` and `previous_data_key_check`, which the rotation itself is about,
 * and `idempotency.sealed`, which only the caller's own key opens. A test compares this list with the schema.
 */
export const sealedColumns: readonly SealedColumn[] = [
  sealed('signing keys', 'signing_key.sealed_private', { key_id: 'text' }, ([keyId]) =>
    signingKeyContext(String(keyId)),
  ),
  sealed('webhook secrets', 'webhook.sealed_secret', { webhook_id: 'uuid' }, WEBHOOK_SECRET),
  sealed('former webhook secrets', 'webhook.sealed_previous_secret', { webhook_id: 'uuid' }, WEBHOOK_SECRET),
  sealed(
    'addresses of channels',
    'notification_channel.sealed_target',
    { channel_id: 'uuid' },
    TARGET_CONTEXT,
  ),
  sealed(
    'share tokens',
    'share_token.sealed_token',
    { subject_id: 'uuid', token_id: 'uuid' },
    ([, tokenId]) => shareTokenContext(String(tokenId)),
  ),
  sealed('offers to wallets', 'credential_offer.sealed_grant', { offer_hash: 'bytea' }, GRANT_CONTEXT),
  sealed('erasures under way', 'erasure_work.sealed_external_id', { job_id: 'uuid' }, EXTERNAL_ID_CONTEXT),
];
