import type { ChangelogEntry } from './changelogEntry.js';

/** Newest first. Entries are added and never rewritten: callers keep their ids. */
export const changelog: readonly ChangelogEntry[] = [
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
    category: 'changed',
    summary:
      'Scores are computed with formula 5.3, so they differ from those of versions before v1. All of its constants are public. A later formula gets an entry of its own here.',
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
