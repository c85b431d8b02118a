import { shareTokenContext } from '../../features/credentials/issuing/shareTokens.js';
import { GRANT_CONTEXT } from '../../features/credentials/wallets/protocol.js';
import { TARGET_CONTEXT } from '../../features/notify/channels/channelTarget.js';
import { WEBHOOK_SECRET } from '../../features/notify/webhooks/webhookSecrets.js';
import { EXTERNAL_ID_CONTEXT } from '../../ledger/erasure/erasureJob.js';
import { signingKeyContext } from '../../ledger/signingKeys.js';

export type KeyType = 'uuid' | 'text' | 'bytea';
export type KeyValue = string | Buffer;

/** A column whose texts are sealed under DATA_KEY. */
export interface SealedColumn {
  /** As the progress names it. */
  readonly label: string;
  readonly table: string;
  readonly column: string;
  readonly key: readonly (readonly [name: string, type: KeyType])[];
  /** The context that its texts were sealed in; see Vault. */
  context(key: readonly KeyValue[]): string;
}

/**
 * Every sealed column but `data_key_check` and `previous_data_key_check`, which the rotation itself
 * is about, and `idempotency.sealed`, which only the caller's own key opens. A test compares this list
 * with the schema.
 */
export const sealedColumns: readonly SealedColumn[] = [
  {
    label: 'signing keys',
    table: 'signing_key',
    column: 'sealed_private',
    key: [['key_id', 'text']],
    context: ([keyId]) => signingKeyContext(String(keyId)),
  },
  {
    label: 'webhook secrets',
    table: 'webhook',
    column: 'sealed_secret',
    key: [['webhook_id', 'uuid']],
    context: () => WEBHOOK_SECRET,
  },
  {
    label: 'former webhook secrets',
    table: 'webhook',
    column: 'sealed_previous_secret',
    key: [['webhook_id', 'uuid']],
    context: () => WEBHOOK_SECRET,
  },
  {
    label: 'addresses of channels',
    table: 'notification_channel',
    column: 'sealed_target',
    key: [['channel_id', 'uuid']],
    context: () => TARGET_CONTEXT,
  },
  {
    label: 'share tokens',
    table: 'share_token',
    column: 'sealed_token',
    key: [
      ['subject_id', 'uuid'],
      ['token_id', 'uuid'],
    ],
    context: ([, tokenId]) => shareTokenContext(String(tokenId)),
  },
  {
    label: 'offers to wallets',
    table: 'credential_offer',
    column: 'sealed_grant',
    key: [['offer_hash', 'bytea']],
    context: () => GRANT_CONTEXT,
  },
  {
    label: 'erasures under way',
    table: 'erasure_work',
    column: 'sealed_external_id',
    key: [['job_id', 'uuid']],
    context: () => EXTERNAL_ID_CONTEXT,
  },
];
