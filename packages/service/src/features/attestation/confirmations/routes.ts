import { anyKeyToAsk, type RouteTable, route } from '#kit/http/route.js';
import type { AttestationDeps } from '../attestations/kind.js';
import { attestationRoutes } from '../attestations/routes.js';
import { createBatch, createConfirmation } from './createConfirmations.js';
import { confirmation } from './kind.js';
import {
  Confirmation,
  ConfirmationBatchBody,
  ConfirmationBatchCreated,
  ConfirmationBody,
  ConfirmationCreated,
  confirmationFilters,
  questionFields,
} from './schemas.js';

/** Requests to a counterparty to confirm an outcome. */
export function confirmationRoutes(deps: AttestationDeps): RouteTable {
  const own = { access: anyKeyToAsk, tag: 'Confirmations' };
  return {
    'POST /confirmations': route({
      operationId: 'createConfirmation',
      ...own,
      idempotent: true,
      body: ConfirmationBody,
      answers: { 201: ConfirmationCreated },
      errors: ['SUBJECT_ERASED', 'RESERVED_EXTERNAL_ID', 'CONFIRMATION_SELF', 'CONFLICT'],
      handle: (context) => createConfirmation(deps, context),
    }),
    'POST /confirmations/batch': route({
      operationId: 'createConfirmations',
      ...own,
      idempotent: true,
      body: ConfirmationBatchBody,
      itemsStandAlone: true,
      answers: { 200: ConfirmationBatchCreated },
      errors: ['CONFLICT'],
      handle: (context) => createBatch(deps, context),
    }),
    ...attestationRoutes(deps, confirmation, {
      noun: 'Confirmation',
      response: Confirmation,
      filters: confirmationFilters,
      question: questionFields,
      answeredId: 'ConfirmationResponse',
    }),
  };
}
