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
    id: '2026-11-22-another-party',
    date: '2026-11-22',
    category: 'security',
    summary:
      'One rule decides who is another party, for events, ingest, imports, confirmations, references and records: not the subject, its declared operator, controller or names, nor the reporting platform, in any spelling. On a subject that the platform runs itself, ingest and import never verify.',
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
      'Keys show which key made them, never outlive it, can be limited to networks and revoked together with their descendants. Confirmations and references show how they were answered. A platform can require a write action for opening them.',
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
      'Formula 5.3 before its first release: a score is a weighted mean without a switch, so a good outcome never lowers it and a bad one never raises it. A disputed transaction leaves the score when its dispute has ended. Stored scores are computed again with the reason formula_changed.',
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
      'What writes the ledger refuses repeated names in a JSON object and fields that look misspelt; integers in metadata keep every digit. A query parameter that looks misspelt is 400 everywhere; other unknown ones are named in a header.',
    endpoints: ['POST /events', 'POST /events/batch', 'POST /ingest', 'POST /imports', 'POST /confirmations'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-22-lists-and-filters',
    date: '2026-11-22',
    category: 'added',
    summary:
      'Lists of campaigns and screenings, one event by its id, the book by the beginning of an id, every closed set in GET /enums, key.created and key.expiring envelopes, and filters that were ignored before.',
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
      'Share tokens with a page, a badge and public reads; earnings, professional records, agents and businesses; signed credentials, wallets, Open Badges, career export and a report to print.',
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
      'Counterparties confirm outcomes on a hosted page, singly, in batches or in campaigns; references and qualifications stand beside the score; disputes resolve from the record.',
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
      "Records in their sender's own shape by a mapping, history as CSV, and screenings of up to 10 000 subjects at once.",
    endpoints: ['POST /ingest', 'POST /ingest/mappings', 'POST /imports', 'POST /screenings'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-21-being-told',
    date: '2026-11-21',
    category: 'added',
    summary:
      'Webhooks with three signatures, monitors, policies with a dry run, notification channels for Slack and e-mail, and a live stream: all tell of the same envelopes.',
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
      'First release of v1. From here on v1 only grows: fields, values, error codes, event types and endpoints may be added, none is removed or changes its meaning.',
    endpoints: [],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-21-formula-5-3',
    date: '2026-11-21',
    category: 'added',
    summary:
      'Scores are computed with formula 5.3, whose every constant is public. A later formula would change the numbers read back and be entered here as changed.',
    endpoints: ['GET /scoring/model', 'GET /reason-codes'],
    reference: '/api/v1/scoring/model',
  },
  {
    id: '2026-11-21-omitted-is-verified',
    date: '2026-11-21',
    category: 'changed',
    summary:
      'An event sent without isVerified is recorded as unverified. Versions before v1 took the missing field for a confirmation.',
    endpoints: ['POST /events', 'POST /events/batch'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-21-unscored-reads-null',
    date: '2026-11-21',
    category: 'changed',
    summary:
      'In the book listing a subject without a score reads null for finalScore and scoreBand. Versions before v1 showed a placeholder there, which could be taken for a score.',
    endpoints: ['GET /users'],
    reference: '/openapi.json',
  },
  {
    id: '2026-11-21-analytics-days-refused',
    date: '2026-11-21',
    category: 'changed',
    summary:
      'A value of days that is no whole number is refused with 400 ANALYTICS_RANGE_INVALID. Versions before v1 answered for the default window without saying so.',
    endpoints: ['GET /analytics/events', 'GET /analytics/scores'],
    reference: '/api/v1/errors',
  },
  {
    id: '2026-11-21-confirmations-open-to-all',
    date: '2026-11-21',
    category: 'changed',
    summary:
      'Confirmations cost nothing on every plan and ask for no events scope: any valid key may request one.',
    endpoints: ['POST /confirmations', 'POST /confirmations/batch'],
    reference: '/api/v1/plans',
  },
];
