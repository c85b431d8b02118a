export { type Client, type ClientOptions, createClient } from './client.js';
export { ReliabilityConnectionError, ReliabilityError } from './errors.js';
export type { ErrorCode, operationTable } from './generated/operations.js';
export type { components } from './generated/schema.js';
export type { Answer, CallOptions, Method, OperationId } from './methods.js';
export type { Envelope, Reset, StreamOptions } from './stream.js';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks.js';
