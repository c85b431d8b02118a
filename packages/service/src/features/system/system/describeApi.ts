import { inTurns } from '../../../kit/backpressure/yielder.js';
import { type OpenApiText, openApiSteps } from '../../../kit/http/openapi.js';
import type { OpenApiDocument } from '../../../kit/http/openapiSchemas.js';
import { readExamples, readFieldTexts } from '../../../kit/http/openapiTexts.js';
import type { RouteTable } from '../../../kit/http/route.js';
import { deliveryTexts } from './describeDeliveries.js';
import { idSources } from './idSources.js';

/**
 * The OpenAPI document. Built on first request, because the table it describes contains its own
 * route, with other requests in between.
 */
export function describeApi(table: () => RouteTable, baseUrl: string): () => Promise<OpenApiDocument> {
  let document: Promise<OpenApiDocument> | undefined;
  return () => {
    document ??= inTurns(openApiSteps(table(), apiText(baseUrl)));
    return document;
  };
}

/** What the OpenAPI document says besides the route table. */
export function apiText(baseUrl: string): OpenApiText {
  return {
    baseUrl,
    version: API_VERSION,
    title: 'Reliability score service',
    description: introduction,
    tags,
    fields: readFieldTexts(),
    examples: readExamples(),
    idSources,
    deliveries: deliveryTexts,
  };
}

/** The major version is the one in the path. Additions raise the minor version. */
const API_VERSION = '1.0.0';

const introduction = `Report outcome events and read an explainable reliability score from 0 to 100. The score is a pure function of an append-only ledger: the same events always give the same score, and nobody can adjust it.

**Authentication.** Platforms send \`Authorization: Bearer <key>\`. A key that starts with \`crd_live_\` works on live data. A key that starts with \`crd_test_\` works on separate test data; requests are the same in both modes. Operators send \`X-Admin-Secret\`. The scopes of a key limit what it can do; a key without scopes can do everything its platform can.

**Subjects** are named by your own ids. The first event for an id creates the subject. You see only subjects that you have reported on. Percent-encode an id in a path.

**Retries.** Send an \`Idempotency-Key\` with every request that creates something. A repeated request with the same key is not executed again: it gets the first response, with \`Idempotent-Replay: true\`. Retry an error only if its \`retryable\` is true, after the number of seconds in \`Retry-After\`.

**Limits.** Every response has \`RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` for the current minute. All live keys of a platform share one limit, and all its test keys share another. If the platform has a monthly quota, \`X-Quota-Limit\`, \`-Remaining\` and \`-Reset\` report it for the UTC calendar month. Test calls, responses with 429 and failures of the service do not count against the quota; a CSV export counts one call per 1000 rows or part of them. \`GET /plans\` lists the numbers.

**Lists** are paginated. To get the next page, send \`nextCursor\` as \`cursor\`; \`null\` marks the last page. Cursors are opaque.

**Times** are UTC, in RFC 3339 with milliseconds: \`2026-03-01T09:30:00.000Z\`.

**Examples** work unchanged if you send them in the order of this document with one key. The first ones record outcomes of \`worker-4711\`; most others use that subject. Replace ids and tokens that the service generates with those from your earlier responses: the \`links\` of an operation name the operations that use its ids.

**Changes.** Within v1 the API only grows: fields, operations, values and codes may be added at any time, so ignore those you do not know. \`GET /changelog\` announces changes.`;

const tags: Readonly<Record<string, string>> = {
  Events: 'Report outcomes to the ledger and read them back.',
  Ingest: 'Report outcomes in your own format, translated by a mapping.',
  Scores: 'Scores and how they are calculated.',
  Records:
    'The history behind one score: summary, changes over time, breakdown by platform, and what would raise it.',
  Imports: 'Import files of past outcomes and read the result of each row.',
  Screenings: 'Look up the scores of thousands of subjects in one job.',
  Benchmarks: 'Compare a score with an anonymous cohort.',
  Analytics: 'Daily totals of your own events and scores.',
  Stream: 'The same messages as webhooks, over one open connection (Server-Sent Events).',
  Confirmations:
    'Ask a party other than the subject whether an outcome happened. Only a yes writes an event, and that event is verified.',
  Campaigns: 'Ask counterparties to confirm many past outcomes at once.',
  Disputes: 'Contest an outcome. A rule resolves each dispute from the recorded evidence alone.',
  Users: 'The subjects you have reported on.',
  'Agents and businesses':
    'Subjects that are not people: who is responsible for them, and how much of their history others confirmed.',
  Links:
    'One identity across platforms, linked by the subject itself: linked aliases share a record and a score.',
  Sharing: 'One token with which a subject shows its score to others. It can be revoked at any time.',
  Verification: 'Check a score with its share token. No key is needed.',
  Credentials:
    'Everything needed to verify a credential of this service offline: public keys, definitions and revocation lists.',
  'Transparency log':
    'A Merkle log of every live fact: its public files, and receipts and proofs with which everybody can check a score without this service.',
  Wallets: 'Issue credentials to the wallet of a subject: OpenID4VCI 1.0 with a pre-authorized code.',
  Earnings:
    'The value of confirmed outcomes by month. It is not an income verification and never changes a score.',
  Profile:
    'Qualifications and projects of a subject, and the profile built from them. They never change a score.',
  References:
    'Ask a former employer, school or board to confirm a qualification. The answer never changes a score.',
  Platform: 'Your platform and its keys.',
  Monitors: 'Watch the score of one subject. Each crossing sends `monitor.triggered` once.',
  Policies:
    'Watch conditions over all your subjects or one of them. Each crossing sends `policy.threshold_crossed` with the evidence. It is never a decision.',
  Usage: 'Calls made by the platform, and the rest of its quota.',
  Webhooks: 'Messages to your own addresses, signed so that you can verify the sender.',
  'Notification channels': 'Messages to chat rooms and mailboxes, in plain sentences.',
  'Test mode': 'Fill the sandbox with synthetic subjects, and reset it.',
  Catalogues: 'Public reference data: the scoring model, codes, sets of values, plans and templates.',
  'Hosted pages': 'Pages on which a counterparty answers. They work without scripts.',
  Embeds: 'Scripts for other websites, and how to use them.',
  Operator: "Operations for the installation's operator, with `X-Admin-Secret`.",
  Console: 'The web console: its page, and the sessions of people who use it.',
  System: 'Health, status, metrics and this description.',
};
