import type { Client, Envelope } from '@reliability/client';

/** Waits for the first envelope of the stream that matches. */
export type Wait = (matches: (envelope: Envelope) => boolean) => Promise<Envelope>;

interface Acting {
  client: Client;
  /** A subject that nobody has reported about. */
  userId: string;
  wait: Wait;
}

/** Acts until the service sends an envelope of the type, and returns it. */
type Cause = (acting: Acting) => Promise<Envelope>;

/** What causes each type. The acts are those of a platform: nothing is simulated. */
export const causes = {
  async 'score.updated'({ client, userId, wait }) {
    await client.recordEvent(kept(userId));
    return wait(isAbout('score.updated', userId));
  },
  async 'score.band_changed'({ client, userId, wait }) {
    // The first score changes no band, so it has to be published before the second.
    await client.recordEvent({ userId, eventType: 'CONTRACT_FULFILLED' });
    await wait(isAbout('score.updated', userId));
    await reportMany(client, userId);
    return wait(isAbout('score.band_changed', userId));
  },
  async 'monitor.triggered'({ client, userId, wait }) {
    await client.recordEvent({ userId, eventType: 'CONTRACT_FULFILLED' });
    await wait(isAbout('score.updated', userId));
    const { id } = await client.createMonitor({ userId, onBandChange: true });
    try {
      await reportMany(client, userId);
      return await wait(({ type, data }) => type === 'monitor.triggered' && mentions(data, id));
    } finally {
      await client.deleteMonitor(id);
    }
  },
  async 'policy.threshold_crossed'({ client, userId, wait }) {
    await client.recordEvent({ userId, eventType: 'CONTRACT_FULFILLED' });
    const condition = { metric: 'score', direction: 'above', threshold: 30 } as const;
    const { id } = await client.createPolicy({ name: `Trigger ${userId}`, userId, condition });
    try {
      await reportMany(client, userId);
      return await wait(({ type, data }) => type === 'policy.threshold_crossed' && mentions(data, id));
    } finally {
      await client.deletePolicy(id);
    }
  },
  async 'dispute.resolved'({ client, userId, wait }) {
    const { eventId } = await client.recordEvent({ userId, eventType: 'CONTRACT_BREACHED' });
    const { id } = await client.fileDispute({ eventId, reason: 'Caused by reliability trigger' });
    await client.resolveDispute(id);
    return wait(({ type, data }) => type === 'dispute.resolved' && mentions(data, id));
  },
  async 'import.completed'({ client, userId, wait }) {
    const csv = `user,type\r\n${userId},CONTRACT_FULFILLED\r\n`;
    const mapping = { userId: { path: 'user' }, eventType: { path: 'type' } };
    const { id } = await client.createImport({ csv, mapping });
    return wait(({ type, data }) => type === 'import.completed' && mentions(data, id));
  },
  async 'screening.completed'({ client, userId, wait }) {
    const { id } = await client.createScreening({ userIds: [userId], label: 'reliability trigger' });
    return wait(({ type, data }) => type === 'screening.completed' && mentions(data, id));
  },
  async 'key.created'({ client, wait }) {
    const { id } = await client.createKey({
      label: 'reliability trigger',
      scopes: ['scores:read'],
      isTest: true,
      expiresInDays: 1,
    });
    try {
      return await wait(({ type, data }) => type === 'key.created' && mentions(data, id));
    } finally {
      await client.revokeKey(id);
    }
  },
} as const satisfies Record<string, Cause>;

export function isTriggerable(type: string): type is keyof typeof causes {
  return Object.hasOwn(causes, type);
}

const ENOUGH_FOR_A_BAND = 10;

function reportMany(client: Client, userId: string) {
  return client.recordEvents({ events: Array.from({ length: ENOUGH_FOR_A_BAND }, () => kept(userId)) });
}

function kept(userId: string) {
  return { userId, eventType: 'CONTRACT_FULFILLED', isVerified: true } as const;
}

function isAbout(type: Envelope['type'], userId: string) {
  return (envelope: Envelope) => envelope.type === type && mentions(envelope.data, userId);
}

/** Envelopes name ids in different places. */
function mentions(data: object, id: string): boolean {
  return JSON.stringify(data).includes(JSON.stringify(id));
}
