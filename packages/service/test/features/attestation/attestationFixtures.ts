import type { RequestOptions, TestService } from '#harness/service.js';
import { exportAll } from '../intake/eventFixtures.js';
import { known, reference } from '../subjects/profileFixtures.js';
import { asking } from './confirmationFixtures.js';

type Options = Omit<RequestOptions, 'body'>;

/** A request in one's hands: its id and the token that answers it. */
export interface Asked {
  id: string;
  token: string;
}

const claim = {
  kind: 'employment',
  title: 'Kitchen fitter',
  organization: 'Mill Lane Joinery',
  startDate: '2022-04-01',
  endDate: '2025-10-31T12:00:00.000Z',
  description: '=cmd|"x" <b>led fittings</b>',
};
const leastClaim = {
  kind: 'employment',
  title: 'Fitter',
  organization: null,
  startDate: null,
  endDate: null,
  description: null,
};
const outcome = {
  description: 'Kitchen fitted at 12 Mill Lane',
  transactionValue: 480.5,
  dueDate: '2026-03-01T17:00:00.000Z',
  completedAt: '2026-03-01T15:42:10.000Z',
};

export interface Kind {
  readonly name: 'confirmation' | 'reference';
  readonly path: string;
  readonly page: string;
  /** The member of the first response with the address of the page. */
  readonly pageUrl: string;
  readonly prefix: string;
  /** What the codes of its errors begin with. */
  readonly code: string;
  readonly table: string;
  readonly recordedId: string;
  readonly fields: {
    /** All that a request can have, and all that no response shows. */
    readonly full: Record<string, unknown>;
    readonly unread: Record<string, unknown>;
    /** What the preview shows of the full request. */
    readonly question: object;
    /** What a request without an answer lacks. */
    readonly unset: object;
    readonly defaults: object;
  };
  /** The required fields, and what a test adds. */
  bodyOf(more?: Record<string, unknown>): Record<string, unknown>;
}

/** The two kinds of request that a counterparty answers. */
export const kinds: readonly [confirmation: Kind, reference: Kind] = [
  {
    name: 'confirmation',
    path: '/confirmations',
    page: '/confirm',
    pageUrl: 'confirmUrl',
    prefix: 'cft_',
    code: 'CONFIRMATION',
    table: 'confirmation',
    recordedId: 'eventId',
    fields: {
      full: { ...outcome, stakeLevel: 'HIGH' },
      unread: { metadata: { orderId: 'A-1009' } },
      question: { ...outcome, eventType: 'CONTRACT_FULFILLED' },
      unset: { campaignId: null, eventId: null },
      defaults: { stakeLevel: 'MEDIUM', transactionValue: null, dueDate: null, completedAt: null },
    },
    bodyOf: asking,
  },
  {
    name: 'reference',
    path: '/references',
    page: '/reference',
    pageUrl: 'referenceUrl',
    prefix: 'rft_',
    code: 'REFERENCE',
    table: 'reference_request',
    recordedId: 'qualificationId',
    fields: {
      full: { claim },
      unread: {},
      question: { claim },
      unset: { qualificationId: null },
      defaults: { claim: leastClaim },
    },
    bodyOf: reference,
  },
];

/** The operations of one kind, as the platform and as the counterparty call them. */
export function callsOf({ name, path, bodyOf }: Kind, service: () => TestService) {
  const calls = {
    /** A reference needs a subject that exists. */
    async ask(more: Record<string, unknown> = {}, options: Options = {}) {
      const body = bodyOf(more);
      if (name === 'reference') await known(service(), body.userId, options);
      return service().request('POST', path, { ...options, body });
    },
    async asked(more: Record<string, unknown> = {}, options: Options = {}): Promise<Asked> {
      const { status, body, text } = await calls.ask(more, options);
      if (status !== 201) throw new Error(`no ${name}: ${text}`);
      return { id: body[name].id, token: body[`${name}Token`] };
    },
    /** With the token in the body, unless the options have another body. */
    respond(
      { id, token }: { id: string; token: unknown },
      decision: unknown = 'confirm',
      { query = '', ...options }: RequestOptions & { query?: string } = {},
    ) {
      const target = `${path}/${id}/respond${query}`;
      return service().request('POST', target, { key: null, body: { token, decision }, ...options });
    },
    preview: ({ id, token }: Asked) =>
      service().request('GET', `${path}/${id}/preview?token=${encodeURIComponent(token)}`, { key: null }),
    read: async (id: string, key?: string) => (await service().request('GET', `${path}/${id}`, { key })).body,
    cancel: (id: string, key?: string) => service().request('POST', `${path}/${id}/cancel`, { key }),
    list: async (query = '', key?: string) =>
      (await service().request('GET', `${path}?${query}`, { key })).body[path.slice(1)],
    /** The events or the qualifications of a subject. */
    async recorded(userId: string, key?: string): Promise<object[]> {
      if (name === 'confirmation') {
        return (await exportAll(service(), { key })).filter((event) => event.userId === userId);
      }
      const { body } = await service().request('GET', `/users/${userId}/qualifications`, { key });
      return body.qualifications ?? [];
    },
  };
  return calls;
}
