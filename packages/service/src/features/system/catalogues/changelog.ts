import type { ChangelogEntry } from './changelogEntry.js';
import { earlierChanges } from './earlierChanges.js';

/** Newest first. Entries are added and never rewritten: callers keep their ids. */
export const changelog: readonly ChangelogEntry[] = [
  {
    id: '2026-11-23-tiles-rate-limit',
    date: '2026-11-23',
    category: 'changed',
    summary:
      'Tiles of the transparency log have a rate limit of their own, ten times that of other reads without a key, so that anybody can read a large log.',
    endpoints: [],
    reference: '/docs/proofs',
  },
  {
    id: '2026-11-23-metadata-numbers',
    date: '2026-11-23',
    category: 'fixed',
    summary:
      'A number in a body that overflows a double, such as 1e400 in metadata, is refused; it was stored as null. An event that is repeated under its idempotencyKey with the names of its metadata in another order has the same content and gives no warning. Refused bodies no longer close the connection, so the answer is read also while the body is sent.',
    endpoints: ['POST /events', 'POST /events/batch', 'POST /ingest', 'POST /imports'],
    reference: '/docs/reporting',
  },
  {
    id: '2026-11-23-import-errors-mapping',
    date: '2026-11-23',
    category: 'added',
    summary:
      'The errors of an import come with the `mapping` that it used, so that corrected rows can be sent again from anywhere. The uptime of a new service no longer counts the minute that has just begun as down.',
    endpoints: ['GET /imports/{id}/errors'],
    reference: '/docs/importing',
  },
  {
    id: '2026-11-23-announced-log-keys',
    date: '2026-11-23',
    category: 'added',
    summary:
      'Keys that will sign the transparency log next are listed as `announcedKeys`. They were among `retiredKeys`, so operators of witnesses could not add them in time.',
    endpoints: [],
    reference: '/docs/proofs',
  },
  {
    id: '2026-11-23-stricter-proofs',
    date: '2026-11-23',
    category: 'changed',
    summary:
      'A score has to be as of the UTC day on which it was published, and after the events that it counts: the verifier of proofs checks both. It also refuses a proof that hides an event of the subject, or counts one twice.',
    endpoints: ['GET /users/{id}/score/proof'],
    reference: '/docs/proofs',
  },
  {
    id: '2026-11-23-receipt-ids',
    date: '2026-11-23',
    category: 'fixed',
    summary:
      'A receipt that was asked for with an id in upper case has the id as the fact has it, so it verifies. `receipt=1` in test mode warns `TEST_MODE_NOT_ALLOWED` instead of `RECEIPT_PENDING`: test events are not logged.',
    endpoints: ['GET /events/{id}/receipt', 'POST /events'],
    reference: '/docs/proofs',
  },
  {
    id: '2026-11-23-unreachable-groups',
    date: '2026-11-23',
    category: 'added',
    summary:
      'With ledgers on several database servers, `checks.database.unreachableGroups` counts the ledger groups that cannot be reached. The others go on: the service stays ready, and its status is `degraded`.',
    endpoints: ['GET /health/ready'],
    reference: '/docs/operating',
  },
  {
    id: '2026-11-22-explain-by-recorded',
    date: '2026-11-22',
    category: 'added',
    summary:
      'A past day of a score can also be explained by the day of the report: `by=recorded`. Its factors make up the point of the course by the same day.',
    endpoints: ['GET /users/{id}/score/explain'],
    reference: '/docs/reference/scores',
  },
  {
    id: '2026-11-22-docs-in-pages',
    date: '2026-11-22',
    category: 'changed',
    summary:
      'The documentation has pages: guides with examples in four languages, the reference by resource, errors by code, and this changelog, also as a feed. It can be searched, and operations can be tried with a test key. Programs find its text in `/llms.txt`.',
    endpoints: [],
    reference: '/docs',
  },
  {
    id: '2026-11-22-offer-page',
    date: '2026-11-22',
    category: 'added',
    summary:
      'A credential offer has a page for its subject, with a QR code and a button for the wallet: `pageUrl`.',
    endpoints: ['POST /users/{id}/credential-offers'],
    reference: '/docs/credentials',
  },
  {
    id: '2026-11-22-report-in-german',
    date: '2026-11-22',
    category: 'added',
    summary:
      'The reliability report exists in English and German: `lang`, or `Accept-Language` for the page.',
    endpoints: ['GET /users/{id}/reliability-report'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-audits-and-backtests',
    date: '2026-11-22',
    category: 'added',
    summary:
      'The results of the latest audits of the ledger can be read by the operator, and backtests can be listed.',
    endpoints: ['GET /admin/audits', 'GET /analytics/backtest', 'GET /admin/analytics/backtest'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-large-books',
    date: '2026-11-22',
    category: 'changed',
    summary:
      'The histogram of the book is also counted for large books, every ten minutes, and says when: `histogramAsOf`. With more than 20 000 new scores, the movers are found among the largest single steps of the whole window.',
    endpoints: ['GET /users/summary', 'GET /analytics/scores', 'GET /analytics/movers'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-import-dry-run',
    date: '2026-11-22',
    category: 'added',
    summary:
      'A dry run reads a file as an import does and writes nothing: failures and warnings grouped by reason, and the first rows as events. Imports take the separator of the file. The errors of an import have the cells of each failed row, so that the row can be corrected and sent again.',
    endpoints: ['POST /imports/dry-run', 'POST /imports', 'GET /imports/{id}/errors'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-webhook-attempts',
    date: '2026-11-22',
    category: 'added',
    summary:
      'The attempts of every endpoint are counted by hour, and the request of a delivery can be read as it was sent, with its signatures.',
    endpoints: ['GET /webhooks/attempts', 'GET /webhooks/{id}/deliveries/{deliveryId}/request'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-movers',
    date: '2026-11-22',
    category: 'added',
    summary:
      'The subjects whose scores moved most in the last days can be listed, and the analytics of scores have the net change of each band.',
    endpoints: ['GET /analytics/movers', 'GET /analytics/scores'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-histogram-of-the-book',
    date: '2026-11-22',
    category: 'added',
    summary: 'The summary of the book has a histogram: how many subjects have each whole number of points.',
    endpoints: ['GET /users/summary'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-subject-name',
    date: '2026-11-22',
    category: 'added',
    summary:
      'A confirmation can name the subject as its counterparty knows it: `subjectName`. The name is on the request and its page only, never in the ledger.',
    endpoints: ['POST /confirmations', 'POST /confirmations/batch', 'POST /activation/campaigns'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-reasons-in-proofs',
    date: '2026-11-22',
    category: 'added',
    summary:
      'The proof of a score states the points and reason codes with which the score was published. The verifier recomputes them from the proven events and compares.',
    endpoints: ['GET /users/{id}/score/proof'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-links-over-groups',
    date: '2026-11-22',
    category: 'changed',
    summary:
      'Subjects of platforms that the operator keeps apart in the database can be linked, too. Each part publishes the score of its own members a moment later. The proof of such a score has `otherLogs`.',
    endpoints: ['POST /users/{id}/links', 'GET /users/{id}/score/proof'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-erasure-ends-disputes',
    date: '2026-11-22',
    category: 'changed',
    summary: 'An erasure ends the open disputes of its subject at once, as if their time were over.',
    endpoints: ['POST /users/{id}/erasure', 'POST /admin/platforms/{id}/users/{userId}/erasure'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-frozen-scores',
    date: '2026-11-22',
    category: 'added',
    summary: 'The operator lists the scores that the velocity guard holds.',
    endpoints: ['GET /admin/frozen-scores'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-erasure',
    date: '2026-11-22',
    category: 'added',
    summary:
      'A platform can erase a subject: its id, every text about it, its requests, tokens and credentials are gone. Types, dates and weights of its outcomes stay, so proofs of others still verify. Every later operation that names the subject answers 410 SUBJECT_ERASED; in batches and imports the item fails alone.',
    endpoints: ['POST /users/{id}/erasure', 'POST /admin/platforms/{id}/users/{userId}/erasure'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-log-in-credentials',
    date: '2026-11-22',
    category: 'added',
    summary:
      'Credentials and public verification show where the transparency log holds the score, and since when. The page /check verifies credentials, receipts and proofs in the browser. A receipt can be read as C2SP tlog-proof. Witnesses cosign checkpoints.',
    endpoints: ['GET /verify/{token}', 'GET /events/{id}/receipt', 'GET /users/{id}/score/proof'],
    reference: '/.well-known/ledger-log.json',
  },
  {
    id: '2026-11-22-course-of-a-score',
    date: '2026-11-22',
    category: 'added',
    summary:
      'The course of a score shows what it was at the end of each day, week or month, by the day on which outcomes happened or by the day of their report. An explanation can be asked for a past day. The report and the trust summary follow the days of outcomes, so imported history is as long as it was.',
    endpoints: [
      'GET /users/{id}/score/course',
      'GET /users/{id}/score/explain',
      'GET /users/{id}/reliability-report',
      'GET /users/{id}/trust-summary',
    ],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-backtest',
    date: '2026-11-22',
    category: 'added',
    summary:
      'A backtest compares the scores that subjects would have had at past days with the verified outcomes that followed: kept rate per band, ranking beside simpler predictors, calibration. The report is data or a page.',
    endpoints: [
      'POST /analytics/backtest',
      'GET /analytics/backtest/{id}',
      'POST /admin/analytics/backtest',
      'GET /admin/analytics/backtest/{id}',
    ],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-previews-by-outcome',
    date: '2026-11-22',
    category: 'changed',
    summary:
      'A preview of a policy counts each outcome from the day on which it happened. by=recorded gives the former figures. Event analytics take by=outcome; their default stays the day of the report.',
    endpoints: ['POST /policies/preview', 'GET /analytics/events'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-concentration',
    date: '2026-11-22',
    category: 'added',
    summary:
      'Risk reads and public verification show how far a record rests on one party, the score if one party counted as three outcomes at most, and since when the record exists. Four new risk signals concern dates and bursts. Policies can watch the share of the largest attester and the number of attesters. The score itself does not change.',
    endpoints: ['GET /users/{id}/risk', 'GET /verify/{token}', 'POST /policies'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-transparency-log',
    date: '2026-11-22',
    category: 'added',
    summary:
      'Every live fact is a leaf of a public Merkle log with signed checkpoints. A receipt proves that an event is in it. A score proof holds the facts of a score, so anyone can recompute it offline.',
    endpoints: ['GET /events/{id}/receipt', 'POST /events', 'GET /users/{id}/score/proof'],
    reference: '/.well-known/ledger-log.json',
  },
  {
    id: '2026-11-22-another-party',
    date: '2026-11-22',
    category: 'security',
    summary:
      'One rule decides who is another party, for events, ingest, imports, confirmations, references and records. The subject, its declared operator and controller, any of their names and the reporting platform are not another party, in any spelling. Ingest and import never verify events about a subject that the platform runs itself.',
    endpoints: [
      'POST /events',
      'POST /ingest',
      'POST /imports',
      'POST /confirmations',
      'POST /references',
      'POST /agents',
      'POST /businesses',
    ],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-keys-and-answers',
    date: '2026-11-22',
    category: 'security',
    summary:
      'A key shows which key created it and never outlives that key. Keys can be limited to networks and revoked together with their descendants. Confirmations and references show how they were answered. A platform can require a write action to open them.',
    endpoints: [
      'PATCH /platform',
      'GET /platform/keys',
      'POST /platform/keys',
      'DELETE /platform/keys/{keyId}',
      'GET /confirmations/{id}',
      'GET /references/{id}',
      'GET /users/{id}/risk',
    ],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-monotone-formula',
    date: '2026-11-22',
    category: 'changed',
    summary:
      'Formula 5.3, before its first release: a score is a weighted mean without thresholds, so a good outcome never lowers it and a bad outcome never raises it. A disputed transaction is removed from the score when its dispute ends. Stored scores are recomputed with the reason formula_changed.',
    endpoints: ['GET /scoring/model', 'GET /users/{id}/score', 'GET /users/{id}/score/history'],
    reference: '/api/v1/scoring/model',
  },
  {
    id: '2026-11-22-projection-from-published',
    date: '2026-11-22',
    category: 'changed',
    summary:
      'Projections and document analysis start from the published score. Batch reads, screenings and projections show whether a score is frozen.',
    endpoints: [
      'POST /users/scores',
      'POST /users/{id}/score/project',
      'POST /users/{id}/documents/analyze',
      'GET /screenings/{id}/results',
    ],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-misspelt-fields',
    date: '2026-11-22',
    category: 'changed',
    summary:
      'Operations that write the ledger refuse repeated names in a JSON object and fields that look misspelt. Integers in metadata keep every digit. Every operation refuses a query parameter that looks misspelt with 400. Other unknown parameters are named in X-Unknown-Parameters.',
    endpoints: ['POST /events', 'POST /events/batch', 'POST /ingest', 'POST /imports', 'POST /confirmations'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-lists-and-filters',
    date: '2026-11-22',
    category: 'added',
    summary:
      'New: lists of campaigns and screenings, one event by its id, a search of the book by the start of an id, the envelope types key.created and key.expiring. GET /enums lists every closed set. Filters that were ignored now work.',
    endpoints: [
      'GET /events/{id}',
      'GET /activation/campaigns',
      'GET /screenings',
      'GET /users',
      'GET /enums',
      'GET /confirmations',
      'GET /disputes',
      'GET /imports',
      'GET /webhooks/events',
    ],
    reference: '/openapi.json',
  },
  ...earlierChanges,
];
