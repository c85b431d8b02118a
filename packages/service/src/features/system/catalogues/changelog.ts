export const changelogCategories = ['added', 'changed', 'deprecated', 'fixed', 'security'] as const;
export type ChangelogCategory = (typeof changelogCategories)[number];

/** One entry of `GET /changelog`. `date` is a UTC day, YYYY-MM-DD. */
export interface ChangelogEntry {
  readonly id: string;
  readonly date: string;
  readonly category: ChangelogCategory;
  readonly summary: string;
  /** `METHOD /path` below `/api/v1`; empty if the entry affects all of v1. */
  readonly endpoints: readonly string[];
  /** The address on this service where the current rule is documented. */
  readonly reference: string;
}

/** Newest first. Entries are added and never rewritten: callers keep their ids. */
export const changelog: readonly ChangelogEntry[] = [
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
  {
    id: '2026-11-21-taking-it-along',
    date: '2026-11-21',
    category: 'added',
    summary:
      'Share tokens with a page, a badge and public reads. Earnings, professional records, agents and businesses. Signed credentials, wallets, Open Badges, career export and a printable report.',
    endpoints: [
      'POST /users/{id}/share-token',
      'GET /verify/{token}',
      'GET /users/{id}/earnings',
      'GET /users/{id}/professional-record',
      'POST /agents',
      'POST /businesses',
      'POST /users/{id}/credential-offers',
      'POST /users/{id}/open-badges',
      'GET /users/{id}/career-export',
      'GET /users/{id}/reliability-report',
    ],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-21-somebody-else-says-so',
    date: '2026-11-21',
    category: 'added',
    summary:
      'Counterparties confirm outcomes on a hosted page, one by one, in batches or in campaigns. References and qualifications are shown beside the score and do not change it. Disputes end by rule.',
    endpoints: [
      'POST /confirmations',
      'POST /confirmations/batch',
      'POST /activation/campaigns',
      'POST /references',
      'POST /users/{id}/qualifications',
      'GET /users/{id}/verified-profile',
      'POST /disputes',
    ],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-21-own-data',
    date: '2026-11-21',
    category: 'added',
    summary:
      'Mappings read records in the shape of their sender. History can be imported as CSV. A screening covers up to 10 000 subjects.',
    endpoints: ['POST /ingest', 'POST /ingest/mappings', 'POST /imports', 'POST /screenings'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-21-being-told',
    date: '2026-11-21',
    category: 'added',
    summary:
      'Webhooks with three signatures, monitors, policies with a dry run, notification channels for Slack and e-mail, and a live stream. All of them send the same envelopes.',
    endpoints: [
      'GET /webhooks/events',
      'POST /webhooks',
      'POST /monitors',
      'POST /policies',
      'POST /policies/preview',
      'POST /notification-channels',
      'GET /events/stream',
    ],
    reference: '/api/v1/webhooks/events',
  },
  {
    id: '2026-11-21-api-v1',
    date: '2026-11-21',
    category: 'added',
    summary:
      'First release of v1. From now on v1 only grows: fields, values, error codes, event types and endpoints may be added. None is removed or changes its meaning.',
    endpoints: [],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-21-formula-5-3',
    date: '2026-11-21',
    category: 'added',
    summary:
      'Scores are computed with formula 5.3. All of its constants are public. A later formula changes scores and gets a changed entry here.',
    endpoints: ['GET /scoring/model', 'GET /reason-codes'],
    reference: '/api/v1/scoring/model',
  },
  {
    id: '2026-11-21-omitted-is-verified',
    date: '2026-11-21',
    category: 'changed',
    summary:
      'An event without isVerified is recorded as unverified. Versions before v1 treated the missing field as a confirmation.',
    endpoints: ['POST /events', 'POST /events/batch'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-21-unscored-reads-null',
    date: '2026-11-21',
    category: 'changed',
    summary:
      'In the book, finalScore and scoreBand of a subject without a score are null. Versions before v1 showed a placeholder that could be mistaken for a score.',
    endpoints: ['GET /users'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-21-analytics-days-refused',
    date: '2026-11-21',
    category: 'changed',
    summary:
      'A value of days that is not a whole number is refused with 400 ANALYTICS_RANGE_INVALID. Versions before v1 silently used the default window.',
    endpoints: ['GET /analytics/events', 'GET /analytics/scores'],
    reference: '/api/v1/errors',
  },
  {
    id: '2026-11-21-confirmations-open-to-all',
    date: '2026-11-21',
    category: 'changed',
    summary: 'Confirmations are free on every plan and need no events scope: any valid key may request one.',
    endpoints: ['POST /confirmations', 'POST /confirmations/batch'],
    reference: '/api/v1/plans',
  },
];
