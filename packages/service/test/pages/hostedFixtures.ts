import type { TestAnswer, TestService } from '#harness/service.js';
import { known } from '../features/subjects/profileFixtures.js';

/** A pending request of a platform. */
export interface OpenRequest {
  readonly id: string;
  readonly token: string;
  /** Path of the hosted page, without the token. */
  readonly page: string;
  /** Path of the operation that reads the request. */
  readonly api: string;
}

let count = 0;

/** Requests a confirmation about a new subject. */
export async function askConfirmation(
  service: TestService,
  { key, ...fields }: { key?: string; [field: string]: unknown } = {},
): Promise<OpenRequest> {
  count += 1;
  const { body } = await service.request('POST', '/confirmations', {
    key,
    body: {
      userId: `worker-${count}`,
      eventType: 'CONTRACT_FULFILLED',
      counterpartyRef: `customer-${count}`,
      counterpartyName: 'Rosa Okafor',
      description: 'Kitchen fitted at 12 Mill Lane, with the worktop cut to measure.',
      transactionValue: 4800.5,
      dueDate: '2026-11-02T17:00:00.000Z',
      completedAt: '2026-11-02T15:42:10.000Z',
      returnUrl: 'https://northwind.example/orders/A-1009?from=mail',
      ...fields,
    },
  });
  const { id } = body.confirmation;
  return { id, token: body.confirmationToken, page: `/confirm/${id}`, api: `/confirmations/${id}` };
}

/** Requests a reference about a new subject. */
export async function askReference(service: TestService, more: object = {}): Promise<OpenRequest> {
  count += 1;
  const userId = `worker-${count}`;
  await known(service, userId);
  const { body } = await service.request('POST', '/references', {
    body: {
      userId,
      claim: {
        kind: 'employment',
        title: 'Lead carpenter',
        organization: 'Mill Lane Joinery',
        startDate: '2021-04-01',
        endDate: '2024-09-30',
        description: 'Ran a team of four.',
      },
      counterpartyRef: `employer-${count}`,
      counterpartyName: 'Ingrid Falk',
      returnUrl: 'https://northwind.example/profile',
      ...more,
    },
  });
  const { id } = body.reference;
  return { id, token: body.referenceToken, page: `/reference/${id}`, api: `/references/${id}` };
}

/** Opens the page like a browser, without a key. */
export function open(
  service: TestService,
  path: string,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const search = new URLSearchParams(query).toString();
  return service.request('GET', `!${path}${search && `?${search}`}`, { key: null, headers });
}

/** Posts the form of the page like a browser. */
export function post(
  service: TestService,
  path: string,
  fields: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return service.request('POST', `!${path}`, {
    key: null,
    body: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  });
}

export async function statusOf(service: TestService, { api }: OpenRequest): Promise<string> {
  const { body } = await service.request('GET', api);
  return body.status ?? body.confirmation?.status ?? body.reference?.status;
}

/** The page's heading. */
export function headingOf({ text }: TestAnswer): string | undefined {
  return /<h1>(.*?)<\/h1>/s.exec(text)?.[1];
}

/** The only script of the pages. */
export const LOCAL_TIMES = '<script src="../local-times.js" defer></script>';
