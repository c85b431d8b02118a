import { type OpenApiText, openApiDocument } from '../../../kit/http/openapi.js';
import type { OpenApiDocument } from '../../../kit/http/openapiTypes.js';
import type { RouteTable } from '../../../kit/http/route.js';
import { deliveryTexts } from './describeDeliveries.js';
import { fieldTexts } from './fieldTexts.js';
import { idSources } from './idSources.js';

/** The OpenAPI document of the service, made when it is first asked for: the table it tells of holds its own line, too. */
export function describeApi(table: () => RouteTable, baseUrl: string): () => OpenApiDocument {
  let document: OpenApiDocument | undefined;
  return () => {
    document ??= openApiDocument(table(), apiText(baseUrl));
    return document;
  };
}

function apiText(baseUrl: string): OpenApiText {
  return {
    baseUrl,
    version: API_VERSION,
    title: 'Reliability score service',
    description: introduction,
    tags,
    fields: fieldTexts,
    idSources,
    deliveries: deliveryTexts,
  };
}

/** Major as in the path; the rest rises with what is added. */
const API_VERSION = '1.0.0';

const introduction = `Outcome events in, an explainable reliability score from 0 to 100 out. The score is a pure function of an append-only ledger: the same events always give the same score, and nobody adjusts it.

**Authentication.** Platforms send \`Authorization: Bearer\` and a key. A key that starts with \`crd_live_\` works on live data, one that starts with \`crd_test_\` on a test universe of its own; requests look the same in both. Operators send \`X-Admin-Secret\`. What a key may do is decided by its scopes; a key without scopes may do everything its platform may.

**Subjects** are named by your own ids. The first event of an id creates the subject, and you see only subjects that you have reported on. An id in a path is percent-encoded.

**Retries.** Send an \`Idempotency-Key\` with every request that creates something. Sent again under the same key it is not done twice: the first answer comes back, with \`Idempotent-Replay: true\`. Retry an error only when its \`retryable\` is true, after the seconds in \`Retry-After\`.

**Limits.** Every answer says in \`RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` how many requests are left in the minute under way; the minute of a platform is shared by its keys, live and test apart. Where the platform has a monthly quota, \`X-Quota-Limit\`, \`-Remaining\` and \`-Reset\` do the same for the UTC calendar month. Test calls never count against it, nor do answers with 429 or failures of the service; a CSV export counts a call per started 1000 rows. \`GET /plans\` lists the numbers.

**Lists** come in pages. Send the \`nextCursor\` of one page as \`cursor\` for the next; \`null\` means there is no next one. Cursors are opaque.

**Time** is UTC, in RFC 3339 with milliseconds: \`2026-03-01T09:30:00.000Z\`.

**Examples** work as they come, in the order of this document and with one key: the first ones record outcomes of \`worker-4711\`, and most others are about that subject. An id or a token that the service makes is taken from the answer before; the \`links\` of an operation name the operations that its answer has one for.

**Changes.** Within v1 the API only grows: fields, operations, values and codes may be added at any time, so ignore what you do not know. What changes is announced at \`GET /changelog\`.`;

const tags: Readonly<Record<string, string>> = {
  Events: 'Reporting outcomes to the ledger, and reading them back.',
  Ingest: 'Reporting outcomes in the shape your own system has them, by a mapping.',
  Scores: 'Scores, and what they are made of.',
  Records:
    'The record behind one score: in brief, over time, by platform, and what it would take to change it.',
  Imports: 'Whole files of history, and what became of each of their rows.',
  Screenings: 'The scores of thousands of subjects, looked up in one go.',
  Benchmarks: 'A score among others, none of whom can be told apart.',
  Analytics: 'Sums over your own events and scores, by day.',
  Stream: 'What webhooks are told, over one connection that stays open (Server-Sent Events).',
  Confirmations:
    'Somebody other than the subject is asked whether an outcome happened. Only a yes writes an event, and that one is verified.',
  Campaigns: 'Past outcomes of a whole book, put to those who can confirm them.',
  Disputes: 'Contested outcomes, and how they end: by rule, from the record alone.',
  Users: 'The subjects you have reported on.',
  'Agents and businesses':
    'Subjects that are no persons: who answers for them, and how much of their record somebody else confirmed.',
  Links:
    'One identity across platforms, by the act of the subject: aliases on several platforms share a record and a score.',
  Sharing: 'What a subject shows to others: one token, which it can have withdrawn.',
  Verification: 'What anybody who has a share token can check, without a key.',
  Credentials:
    'What is needed to check a credential of this service without asking about it: its keys, its terms, and what was revoked.',
  Wallets:
    'Credentials that a subject keeps in a wallet of its own: OpenID4VCI 1.0 with a pre-authorized code.',
  Earnings:
    'What confirmed outcomes were worth, month by month. No income verification, and none of it moves a score.',
  Profile:
    'What is known of a subject beside its outcomes: qualifications, own work, and the profile made of them. None of it moves a score.',
  References:
    'Asking a former employer, school or board to confirm a qualification, and their answer. None of it moves a score.',
  Platform: 'The platform behind the key in use, and its keys.',
  Monitors: 'Watches over single scores. Each crossing is told once, as `monitor.triggered`.',
  Policies:
    'Conditions over your book, or over one subject, told as `policy.threshold_crossed` with the evidence: never a decision.',
  Usage: 'What the platform has called, and what is left of its quota.',
  Webhooks: 'Addresses of yours that are told what happens, and how to check that it was us.',
  'Notification channels': 'Chat rooms and mailboxes that are told what happens, in plain sentences.',
  'Test mode': 'A sandbox of synthetic subjects, and its reset.',
  Catalogues:
    'What the service knows in general: the model, codes, values, plans and templates. Open to everyone.',
  'Hosted pages': 'Where a counterparty answers, in a browser and without a script.',
  Embeds: 'Scripts that other websites load, and how to use them.',
  Operator: "What the installation's operator alone may do, with `X-Admin-Secret`.",
  System: 'Health, status, metrics and this description.',
};
