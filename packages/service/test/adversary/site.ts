import { z } from 'zod';
import { type ApiClient, createApiClient } from './apiClient.js';

const Created = z.object({
  platform: z.object({ id: z.uuid() }),
  keys: z.object({ live: z.object({ key: z.string() }) }),
});
const Link = z.object({ url: z.url(), recordLinkId: z.uuid() });
const Recorded = z.object({ eventId: z.uuid() });
const Opened = z.object({ review: z.object({ id: z.uuid() }) });

export type Site = ReturnType<typeof openSite>;

/** A running service whose pages strangers attack. */
export function openSite(url: string, adminSecret: string) {
  const operator = createApiClient(url, { 'X-Admin-Secret': adminSecret });
  let networks = 0;
  return {
    url,
    async platform(name: string) {
      const body = { name, trustTier: 'GROWTH', plan: 'enterprise' };
      const { platform, keys } = await operator('POST', '/admin/platforms', Created, { body });
      return {
        id: platform.id,
        ...platformOf(createApiClient(url, { Authorization: `Bearer ${keys.live.key}` })),
      };
    },
    /** Somebody in a network that nobody else has (RFC 2544). */
    visitor() {
      networks += 1;
      return visitorFrom(`198.19.${networks >> 8}.${networks & 255}`);
    },
  };
}

function platformOf(call: ApiClient) {
  const report = async (userId: string, more: object = {}) => {
    const body = { userId, eventType: 'CONTRACT_BREACHED', ...more };
    return (await call('POST', '/events', Recorded, { body })).eventId;
  };
  return {
    call,
    report,
    /** A subject with an outcome, and the link to its record. */
    async link(userId: string) {
      const eventId = await report(userId);
      return { eventId, ...(await call('POST', `/users/${userId}/record-links`, Link, { body: {} })) };
    },
  };
}

export type Visitor = ReturnType<typeof visitorFrom>;

/** Sends requests without a key, and counts them and their answers. */
function visitorFrom(network: string) {
  const statuses = new Set<number>();
  let requests = 0;
  const visit = async (url: string, init: { body?: string; headers?: Record<string, string> } = {}) => {
    requests += 1;
    const answer = await fetch(url, {
      redirect: 'manual',
      ...init,
      ...(init.body !== undefined && { method: 'POST' }),
      headers: { 'X-Forwarded-For': network, ...init.headers },
    });
    statuses.add(answer.status);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const send = (url: string, body: object) =>
    visit(url, { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
  /** Objects as an app does. */
  const object = (link: string, body: object) => send(`${link}/reviews`, body);
  return {
    visit,
    send,
    object,
    review: async (link: string, body: object) =>
      Opened.parse(JSON.parse((await object(link, body)).text)).review.id,
    tally: () => ({ requests, statuses }),
  };
}
