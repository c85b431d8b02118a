import type { Metrics } from '../../kit/http/metrics.js';
import type { RouteTable } from '../../kit/http/route.js';
import { createKeyRing } from '../../ledger/signingKeys.js';
import type { Sweep } from '../../ledger/sweep.js';
import type { ChannelAdapter } from '../../outbox/channelAdapter.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { createChannelAdapter } from './channels/channelAdapter.js';
import { createMailer } from './channels/mailer.js';
import { channelRoutes } from './channels/routes.js';
import { monitorRoutes } from './monitors/routes.js';
import { policyRoutes } from './policies/routes.js';
import { streamRoutes } from './stream/routes.js';
import { createStreams, type Streams } from './stream/streams.js';
import { directoryRoutes } from './webhooks/directoryRoutes.js';
import { removeOldDeliveries } from './webhooks/removeOldDeliveries.js';
import { webhookRoutes } from './webhooks/routes.js';
import { createWebhookAdapter } from './webhooks/webhookAdapter.js';

interface NotifyDeps extends ServiceDeps {
  metrics: Metrics;
  /** Time between two heartbeats of a live stream. Default: 15 s. */
  streamHeartbeatMs: number | undefined;
}

export interface NotifyRoom {
  routes: readonly RouteTable[];
  /** How the dispatcher sends to each kind of target. */
  adapters: readonly ChannelAdapter<unknown, unknown>[];
  sweeps: { retention: readonly Sweep[] };
  streams: Pick<Streams, 'checkKeys' | 'close' | 'restart'>;
  /** Closes the connection to the mail server. */
  closeMailer(): void;
}

/** Webhooks, channels, streams, and what platforms watch for. */
export function notifyRoom(deps: NotifyDeps): NotifyRoom {
  const { config, db, vault, clock, streamHeartbeatMs } = deps;
  const { smtpUrl, smtpFrom, baseUrl } = config;
  const messageKeys = createKeyRing(db, vault, clock, 'message');
  const mailer = smtpUrl ? createMailer({ smtpUrl, from: smtpFrom, baseUrl }) : null;
  const streams = createStreams({ ...deps, heartbeatMs: streamHeartbeatMs });
  return {
    routes: [
      streamRoutes({ streams }),
      webhookRoutes({ ...deps, messageKeys }),
      monitorRoutes(deps),
      policyRoutes(deps),
      channelRoutes(deps),
      directoryRoutes({ ...deps, messageKeys }),
    ],
    adapters: [
      createWebhookAdapter({ ...deps, messageKeys }),
      createChannelAdapter({ ...deps, mailer, baseUrl }),
    ],
    sweeps: { retention: [removeOldDeliveries(db, config.retentionTextDays)] },
    streams,
    closeMailer: () => mailer?.close(),
  };
}
