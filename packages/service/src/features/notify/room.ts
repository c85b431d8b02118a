import type { Metrics } from '#kit/http/metrics.js';
import type { RouteTable } from '#kit/http/route.js';
import { createKeyRing } from '#ledger/signingKeys.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { channelRoutes } from './channels/channels.js';
import { monitorRoutes } from './monitors/monitors.js';
import { policyRoutes } from './policies/policies.js';
import { createStreams, type Streams, streamRoutes } from './stream/streams.js';
import { directoryRoutes } from './webhooks/directory.js';
import { webhookRoutes } from './webhooks/routes.js';

interface NotifyDeps extends ServiceDeps {
  metrics: Metrics;
  /** Time between two heartbeats of a live stream. Default: 15 s. */
  streamHeartbeatMs: number | undefined;
}

export interface NotifyRoom {
  routes: readonly RouteTable[];
  streams: Pick<Streams, 'checkKeys' | 'close' | 'restart'>;
}

/** Webhooks, channels, streams, and what platforms watch for. */
export function notifyRoom(deps: NotifyDeps): NotifyRoom {
  const { db, vault, clock, streamHeartbeatMs } = deps;
  const messageKeys = createKeyRing(db, vault, clock, 'message');
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
    streams,
  };
}
