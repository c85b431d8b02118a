// Written by generate.ts.
/**
 * Each operation: method, path, and flags. `body`, `query`: it has one. `csv`: the body may be
 * CSV. `plain`: the body is a text. `keyed`: it takes an Idempotency-Key. `items=`: the list in
 * each of its pages.
 */
export const operationTable = {
  recordEvent: 'POST /api/v1/events body query keyed',
  recordEvents: 'POST /api/v1/events/batch body query keyed',
  readEvent: 'GET /api/v1/events/{id}',
  exportEvents: 'GET /api/v1/events/export query items=events',
  ingestRecords: 'POST /api/v1/ingest body query keyed',
  listMappings: 'GET /api/v1/ingest/mappings query items=mappings',
  saveMapping: 'POST /api/v1/ingest/mappings body keyed',
  readMapping: 'GET /api/v1/ingest/mappings/{id}',
  deleteMapping: 'DELETE /api/v1/ingest/mappings/{id}',
  listImports: 'GET /api/v1/imports query items=imports',
  createImport: 'POST /api/v1/imports body csv query keyed',
  dryRunImport: 'POST /api/v1/imports/dry-run body csv query',
  detectImport: 'POST /api/v1/imports/detect body csv query',
  readImport: 'GET /api/v1/imports/{id}',
  listImportErrors: 'GET /api/v1/imports/{id}/errors query',
  readScore: 'GET /api/v1/users/{id}/score',
  explainScore: 'GET /api/v1/users/{id}/score/explain query',
  readScoreComponents: 'GET /api/v1/users/{id}/score/components',
  listScoreHistory: 'GET /api/v1/users/{id}/score/history query items=history',
  readScoreCourse: 'GET /api/v1/users/{id}/score/course query items=points',
  explainScoreMove: 'GET /api/v1/users/{id}/score/change query',
  suggestForScore: 'GET /api/v1/users/{id}/score/suggestions',
  explainScoreChange: 'GET /api/v1/users/{id}/score/delta',
  readScores: 'POST /api/v1/users/scores body',
  listUsers: 'GET /api/v1/users query items=users',
  summarizeUsers: 'GET /api/v1/users/summary query',
  adminListFrozenScores: 'GET /api/v1/admin/frozen-scores',
  adminResolveVelocityFlag: 'POST /api/v1/admin/users/{id}/resolve-velocity-flag query',
  readUser: 'GET /api/v1/users/{id}',
  updateUser: 'PATCH /api/v1/users/{id} body',
  registerAgent: 'POST /api/v1/agents body keyed',
  readAgent: 'GET /api/v1/agents/{id}',
  registerBusiness: 'POST /api/v1/businesses body keyed',
  readBusiness: 'GET /api/v1/businesses/{id}',
  readBusinessRecord: 'GET /api/v1/businesses/{id}/record',
  createLinkToken: 'POST /api/v1/users/{id}/link-token keyed',
  linkUser: 'POST /api/v1/users/{id}/links body keyed',
  unlinkUser: 'DELETE /api/v1/users/{id}/links',
  exportCareer: 'GET /api/v1/users/{id}/career-export query',
  importCareer: 'POST /api/v1/users/{id}/career-import body keyed',
  listQualifications: 'GET /api/v1/users/{id}/qualifications query items=qualifications',
  recordQualification: 'POST /api/v1/users/{id}/qualifications body keyed',
  listProjects: 'GET /api/v1/users/{id}/projects query items=projects',
  addProject: 'POST /api/v1/users/{id}/projects body keyed',
  deleteProject: 'DELETE /api/v1/users/{id}/projects/{projectId}',
  readVerifiedProfile: 'GET /api/v1/users/{id}/verified-profile',
  eraseUser: 'POST /api/v1/users/{id}/erasure',
  adminEraseUser: 'POST /api/v1/admin/platforms/{id}/users/{userId}/erasure',
  readTrustSummary: 'GET /api/v1/users/{id}/trust-summary query',
  readReliability: 'GET /api/v1/users/{id}/reliability query',
  listTimeline: 'GET /api/v1/users/{id}/timeline query items=items',
  listContributingPlatforms: 'GET /api/v1/users/{id}/platforms',
  projectScore: 'POST /api/v1/users/{id}/score/project body',
  projectDispute: 'GET /api/v1/disputes/{id}/projection',
  analyzeDocuments: 'POST /api/v1/users/{id}/documents/analyze body',
  readRisk: 'GET /api/v1/users/{id}/risk',
  readBenchmark: 'GET /api/v1/users/{id}/benchmark query',
  listBenchmarks: 'GET /api/v1/benchmarks',
  readEventAnalytics: 'GET /api/v1/analytics/events query',
  readScoreAnalytics: 'GET /api/v1/analytics/scores query',
  readMovers: 'GET /api/v1/analytics/movers query',
  listBacktests: 'GET /api/v1/analytics/backtest',
  createBacktest: 'POST /api/v1/analytics/backtest body keyed',
  readBacktest: 'GET /api/v1/analytics/backtest/{id} query',
  adminListBacktests: 'GET /api/v1/admin/analytics/backtest',
  adminCreateBacktest: 'POST /api/v1/admin/analytics/backtest body keyed',
  adminReadBacktest: 'GET /api/v1/admin/analytics/backtest/{id} query',
  listScreenings: 'GET /api/v1/screenings query items=screenings',
  createScreening: 'POST /api/v1/screenings body keyed',
  readScreening: 'GET /api/v1/screenings/{id}',
  listScreeningResults: 'GET /api/v1/screenings/{id}/results query items=results',
  listDisputes: 'GET /api/v1/disputes query items=disputes',
  fileDispute: 'POST /api/v1/disputes body keyed',
  readDispute: 'GET /api/v1/disputes/{id}',
  resolveDisputeByPost: 'POST /api/v1/disputes/{id}/resolve',
  resolveDispute: 'PATCH /api/v1/disputes/{id}/resolve',
  listReviews: 'GET /api/v1/reviews query items=reviews',
  readReview: 'GET /api/v1/reviews/{id}',
  answerReview: 'POST /api/v1/reviews/{id}/answer body',
  listConfirmations: 'GET /api/v1/confirmations query items=confirmations',
  createConfirmation: 'POST /api/v1/confirmations body keyed',
  createConfirmations: 'POST /api/v1/confirmations/batch body keyed',
  readConfirmation: 'GET /api/v1/confirmations/{id}',
  cancelConfirmation: 'POST /api/v1/confirmations/{id}/cancel',
  previewConfirmation: 'GET /api/v1/confirmations/{id}/preview query',
  respondToConfirmation: 'POST /api/v1/confirmations/{id}/respond body query',
  listCampaigns: 'GET /api/v1/activation/campaigns query items=campaigns',
  startCampaign: 'POST /api/v1/activation/campaigns body keyed',
  readCampaign: 'GET /api/v1/activation/campaigns/{id}',
  listReferences: 'GET /api/v1/references query items=references',
  createReference: 'POST /api/v1/references body keyed',
  readReference: 'GET /api/v1/references/{id}',
  cancelReference: 'POST /api/v1/references/{id}/cancel',
  previewReference: 'GET /api/v1/references/{id}/preview query',
  respondToReference: 'POST /api/v1/references/{id}/respond body query',
  createShareToken: 'POST /api/v1/users/{id}/share-token body keyed',
  withdrawShareToken: 'DELETE /api/v1/users/{id}/share-token',
  adminWithdrawShareToken: 'DELETE /api/v1/admin/users/{id}/share-token query',
  createRecordLink: 'POST /api/v1/users/{id}/record-links body keyed',
  withdrawRecordLink: 'DELETE /api/v1/users/{id}/record-links/{recordLinkId}',
  verifyShareToken: 'GET /api/v1/verify/{token} query',
  verifyDeliveryReceipts: 'GET /api/v1/verify/{token}/delivery-receipts query',
  verifyBusinessRecord: 'GET /api/v1/verify/{token}/business-record query',
  readDidDocument: 'GET /.well-known/did.json',
  readEarnings: 'GET /api/v1/users/{id}/earnings query',
  readEarningsSummary: 'GET /api/v1/users/{id}/earnings/summary query',
  issueEarningsCredential: 'POST /api/v1/users/{id}/earnings/credential query keyed',
  readProfessionalRecord: 'GET /api/v1/users/{id}/professional-record',
  issueProfessionalRecordCredential: 'POST /api/v1/users/{id}/professional-record/credential query keyed',
  readReliabilityReport: 'GET /api/v1/users/{id}/reliability-report query',
  issueOpenBadge: 'POST /api/v1/users/{id}/open-badges query keyed',
  readLogCheckpoint: 'GET /log/checkpoint',
  readLogConsistency: 'GET /log/consistency query',
  readLogIdentity: 'GET /.well-known/ledger-log.json',
  readGroupLogCheckpoint: 'GET /log/{log}/checkpoint',
  readGroupLogConsistency: 'GET /log/{log}/consistency query',
  readReceipt: 'GET /api/v1/events/{id}/receipt query',
  readScoreProof: 'GET /api/v1/users/{id}/score/proof',
  addCheckpoint: 'POST /log/witness/add-checkpoint body plain',
  readWitnessedCheckpoint: 'GET /log/witness/{originHash}/checkpoint',
  createCredentialOffer: 'POST /api/v1/users/{id}/credential-offers body query keyed',
  readCredentialIssuerMetadata: 'GET /.well-known/openid-credential-issuer',
  readAuthorizationServerMetadata: 'GET /.well-known/oauth-authorization-server',
  adminListPlatforms: 'GET /api/v1/admin/platforms query items=platforms',
  adminCreatePlatform: 'POST /api/v1/admin/platforms body keyed',
  adminReadPlatform: 'GET /api/v1/admin/platforms/{id}',
  adminUpdatePlatform: 'PATCH /api/v1/admin/platforms/{id} body',
  adminListKeys: 'GET /api/v1/admin/platforms/{id}/keys',
  adminCreateKey: 'POST /api/v1/admin/platforms/{id}/keys body keyed',
  adminUpdateKey: 'PATCH /api/v1/admin/platforms/{id}/keys/{keyId} body',
  adminRotateKey: 'POST /api/v1/admin/platforms/{id}/keys/{keyId}/rotate body keyed',
  readPlatform: 'GET /api/v1/platform',
  updateSettings: 'PATCH /api/v1/platform body',
  listKeys: 'GET /api/v1/platform/keys',
  createKey: 'POST /api/v1/platform/keys body keyed',
  rotateKey: 'POST /api/v1/platform/keys/{keyId}/rotate body keyed',
  revokeKey: 'DELETE /api/v1/platform/keys/{keyId} query',
  readUsage: 'GET /api/v1/usage query',
  readQuota: 'GET /api/v1/usage/quota',
  readUsageMeters: 'GET /api/v1/usage/meters query',
  adminReadUsage: 'GET /api/v1/admin/platforms/{id}/usage query',
  listActivity: 'GET /api/v1/activity query items=activity',
  adminListActivity: 'GET /api/v1/admin/platforms/{id}/activity query items=activity',
  adminReadAuditLog: 'GET /api/v1/admin/users/{id}/audit-log query items=activity',
  adminListAudits: 'GET /api/v1/admin/audits',
  adminRunSweep: 'POST /api/v1/admin/sweeps/{name}',
  listConsoleUsers: 'GET /api/v1/platform/users query items=users',
  addConsoleUser: 'POST /api/v1/platform/users body keyed',
  updateConsoleUser: 'PATCH /api/v1/platform/users/{id} body',
  removeConsoleUser: 'DELETE /api/v1/platform/users/{id}',
  adminListConsoleUsers: 'GET /api/v1/admin/users query items=users',
  adminAddConsoleUser: 'POST /api/v1/admin/users body keyed',
  adminUpdateConsoleUser: 'PATCH /api/v1/admin/users/{userId} body',
  adminRemoveConsoleUser: 'DELETE /api/v1/admin/users/{userId}',
  streamEvents: 'GET /api/v1/events/stream query',
  listWebhookEvents: 'GET /api/v1/webhooks/events',
  listWebhooks: 'GET /api/v1/webhooks query items=webhooks',
  createWebhook: 'POST /api/v1/webhooks body keyed',
  readWebhook: 'GET /api/v1/webhooks/{id}',
  updateWebhook: 'PATCH /api/v1/webhooks/{id} body',
  deleteWebhook: 'DELETE /api/v1/webhooks/{id}',
  rotateWebhookSecret: 'POST /api/v1/webhooks/{id}/rotate-secret keyed',
  testWebhook: 'POST /api/v1/webhooks/{id}/test body',
  recoverDeliveries: 'POST /api/v1/webhooks/{id}/recover body keyed',
  listDeliveries: 'GET /api/v1/webhooks/{id}/deliveries query items=deliveries',
  readDelivery: 'GET /api/v1/webhooks/{id}/deliveries/{deliveryId}',
  countAttempts: 'GET /api/v1/webhooks/attempts query',
  readDeliveryRequest: 'GET /api/v1/webhooks/{id}/deliveries/{deliveryId}/request',
  replayDelivery: 'POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/replay',
  adminListWebhooks: 'GET /api/v1/admin/platforms/{id}/webhooks query items=webhooks',
  adminCreateWebhook: 'POST /api/v1/admin/platforms/{id}/webhooks body keyed',
  adminUpdateWebhook: 'PATCH /api/v1/admin/platforms/{id}/webhooks/{webhookId} body',
  adminDeleteWebhook: 'DELETE /api/v1/admin/platforms/{id}/webhooks/{webhookId}',
  adminTestWebhook: 'POST /api/v1/admin/platforms/{id}/webhooks/{webhookId}/test body',
  adminListDeliveries:
    'GET /api/v1/admin/platforms/{id}/webhooks/{webhookId}/deliveries query items=deliveries',
  adminReplayDelivery:
    'POST /api/v1/admin/platforms/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
  listMonitors: 'GET /api/v1/monitors query items=monitors',
  createMonitor: 'POST /api/v1/monitors body keyed',
  readMonitor: 'GET /api/v1/monitors/{id}',
  updateMonitor: 'PATCH /api/v1/monitors/{id} body',
  deleteMonitor: 'DELETE /api/v1/monitors/{id}',
  adminListMonitors: 'GET /api/v1/admin/platforms/{id}/monitors query items=monitors',
  adminCreateMonitor: 'POST /api/v1/admin/platforms/{id}/monitors body keyed',
  adminReadMonitor: 'GET /api/v1/admin/platforms/{id}/monitors/{monitorId}',
  adminUpdateMonitor: 'PATCH /api/v1/admin/platforms/{id}/monitors/{monitorId} body',
  adminDeleteMonitor: 'DELETE /api/v1/admin/platforms/{id}/monitors/{monitorId}',
  listPolicies: 'GET /api/v1/policies query items=policies',
  createPolicy: 'POST /api/v1/policies body keyed',
  readPolicy: 'GET /api/v1/policies/{id}',
  updatePolicy: 'PATCH /api/v1/policies/{id} body',
  deletePolicy: 'DELETE /api/v1/policies/{id}',
  previewPolicy: 'POST /api/v1/policies/preview body',
  listNotificationChannels: 'GET /api/v1/notification-channels query items=notificationChannels',
  createNotificationChannel: 'POST /api/v1/notification-channels body keyed',
  readNotificationChannel: 'GET /api/v1/notification-channels/{id}',
  deleteNotificationChannel: 'DELETE /api/v1/notification-channels/{id}',
  listMessageSigningKeys: 'GET /.well-known/http-message-signatures-directory',
  seedTestData: 'POST /api/v1/test/seed keyed',
  deleteTestData: 'DELETE /api/v1/test/data',
  readScoringModel: 'GET /api/v1/scoring/model',
  listReasonCodes: 'GET /api/v1/reason-codes',
  listEnums: 'GET /api/v1/enums',
  listErrors: 'GET /api/v1/errors',
  readChangelog: 'GET /api/v1/changelog',
  listPlans: 'GET /api/v1/plans',
  listOutcomeTemplates: 'GET /api/v1/outcome-templates query',
  readHealth: 'GET /api/v1/health',
  readReadiness: 'GET /api/v1/health/ready',
  readStatus: 'GET /api/v1/status.json',
  readApiDescription: 'GET /api/v1/openapi.json',
  readSecurityContact: 'GET /.well-known/security.txt',
} as const;

/** The codes of errors, as `GET /errors` lists them. */
export type ErrorCode =
  | 'ACTIVATION_NO_VALID_ROWS'
  | 'ACTIVITY_ACTION_INVALID'
  | 'ACTIVITY_FORMAT_INVALID'
  | 'ACTIVITY_RANGE_INVALID'
  | 'ANALYTICS_RANGE_INVALID'
  | 'ANALYTICS_WINDOW_CONFLICT'
  | 'BACKTEST_QUEUE_UNAVAILABLE'
  | 'BAD_REQUEST'
  | 'BOOK_FORMAT_INVALID'
  | 'BOOK_QUERY_INVALID'
  | 'BUSINESS_IDENTITY_NOT_DECLARED'
  | 'CAREER_FORMAT_INVALID'
  | 'CONFIRMATION_NOT_PENDING'
  | 'CONFIRMATION_SELF'
  | 'CONFIRMATION_TOKEN_INVALID'
  | 'CONFLICT'
  | 'DISPATCH_CONTEXT_INVALID'
  | 'EXPORT_FORMAT_INVALID'
  | 'EXPORT_RANGE_INVALID'
  | 'FORBIDDEN'
  | 'IDEMPOTENCY_KEY_IN_USE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IMPORT_CSV_INVALID'
  | 'IMPORT_QUEUE_UNAVAILABLE'
  | 'IMPORT_TOO_MANY_ROWS'
  | 'INGEST_MAPPING_INVALID'
  | 'INTERNAL_ERROR'
  | 'LINK_TOKEN_INVALID'
  | 'METHOD_NOT_ALLOWED'
  | 'MONITOR_LIMIT_REACHED'
  | 'NOTIFICATION_CHANNEL_INVALID'
  | 'NOTIFICATION_CHANNEL_LIMIT_REACHED'
  | 'NOT_FOUND'
  | 'NOT_LOGGED_YET'
  | 'OPERATOR_NOT_DECLARED'
  | 'OVERLOADED'
  | 'PAYLOAD_NOT_RETAINED'
  | 'PAYLOAD_TOO_LARGE'
  | 'PLAN_REQUIRED'
  | 'POLICY_LIMIT_REACHED'
  | 'QUOTA_EXCEEDED'
  | 'RATE_LIMIT_EXCEEDED'
  | 'REFERENCE_NOT_PENDING'
  | 'REFERENCE_SELF'
  | 'REFERENCE_TOKEN_INVALID'
  | 'RESERVED_EXTERNAL_ID'
  | 'SCOPE_CEILING_EXCEEDED'
  | 'SCOPE_INSUFFICIENT'
  | 'SCREENING_NOT_COMPLETED'
  | 'SCREENING_QUEUE_UNAVAILABLE'
  | 'SERVICE_UNAVAILABLE'
  | 'STREAM_LIMIT_REACHED'
  | 'SUBJECT_ERASED'
  | 'TEST_MODE_NOT_ALLOWED'
  | 'TEST_MODE_ONLY'
  | 'UNAUTHORIZED'
  | 'UNSUPPORTED_CONTENT_ENCODING'
  | 'USAGE_FORMAT_INVALID'
  | 'USAGE_RANGE_INVALID'
  | 'USAGE_WINDOW_CONFLICT'
  | 'USER_NOT_FOUND'
  | 'VALIDATION_ERROR';
