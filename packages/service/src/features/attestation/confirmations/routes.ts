import { ok } from '../../../kit/http/answer.js';
import { anyKey, anyKeyToAsk, everyone, keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { answererOf } from '../attestations/answerEvidence.js';
import { answerIn } from '../attestations/attestation.js';
import { respondToConfirmation } from '../attestations/respond.js';
import { listCampaigns } from '../campaigns/listCampaigns.js';
import { readCampaign } from '../campaigns/readCampaign.js';
import {
  CampaignBody,
  CampaignFunnel,
  CampaignPage,
  CampaignQuery,
  CampaignStarted,
  campaignPath,
} from '../campaigns/schemas.js';
import { startCampaign } from '../campaigns/startCampaign.js';
import { cancelConfirmation } from './cancelConfirmation.js';
import { createBatch } from './createBatch.js';
import { createConfirmation } from './createConfirmations.js';
import type { ConfirmationDeps } from './deps.js';
import { listConfirmations } from './listConfirmations.js';
import { previewConfirmation } from './previewConfirmation.js';
import { readConfirmation } from './readConfirmation.js';
import {
  ConfirmationBatchBody,
  ConfirmationBatchCreated,
  ConfirmationBody,
  ConfirmationCreated,
  ConfirmationPage,
  ConfirmationQuery,
  ConfirmationRecord,
  confirmationPath,
  Preview,
  RespondBody,
  Responded,
  TokenQuery,
} from './schemas.js';

/** Somebody other than the subject is asked, and answers. */
export function confirmationRoutes(deps: ConfirmationDeps): RouteTable {
  return { ...ofPlatform(deps), ...ofCounterparty(deps), ...campaigns(deps) };
}

function ofPlatform(deps: ConfirmationDeps): RouteTable {
  const own = { access: anyKey, tag: 'Confirmations' };
  return {
    'POST /confirmations': route({
      operationId: 'createConfirmation',
      ...own,
      access: anyKeyToAsk,
      summary: 'Ask a counterparty to confirm an outcome',
      description:
        'Nothing is sent to anybody: hand the token, or `confirmUrl`, to the counterparty over a channel of your own. Only a ' +
        'confirmation writes an event, and that one is verified. Unanswered, the request ends after 14 days unless ' +
        '`expiresInHours` says otherwise. Any valid key may, unless the platform has set ' +
        '`confirmationsRequireWrite`: then it takes a key with some write action.',
      writesLedger: true,
      idempotent: true,
      body: ConfirmationBody,
      answers: { 201: ConfirmationCreated },
      errors: ['RESERVED_EXTERNAL_ID', 'CONFIRMATION_SELF', 'CONFLICT'],
      handle: (context) => createConfirmation(deps, context),
    }),
    'POST /confirmations/batch': route({
      operationId: 'createConfirmations',
      ...own,
      access: anyKeyToAsk,
      summary: 'Ask for up to 100 confirmations',
      description:
        'Each item is made or refused by itself: the status is 200 even where some were refused, so look at `failedCount`. Tokens are ' +
        'shown this once. Nothing is sent to anybody, as with a single one.',
      writesLedger: true,
      idempotent: true,
      body: ConfirmationBatchBody,
      itemsStandAlone: true,
      answers: { 200: ConfirmationBatchCreated },
      errors: ['CONFLICT'],
      handle: (context) => createBatch(deps, context),
    }),
    'GET /confirmations': route({
      operationId: 'listConfirmations',
      ...own,
      summary: 'List requests for confirmation',
      description:
        'Those of your platform in the mode of the key, newest first, each with its state and, once confirmed, ' +
        'the id of its event. Tokens are never shown again. No scope needed.',
      query: ConfirmationQuery,
      answers: { 200: ConfirmationPage },
      handle: (context) => listConfirmations(deps, context),
    }),
    'GET /confirmations/{id}': route({
      operationId: 'readConfirmation',
      ...own,
      summary: 'Read a request for confirmation',
      description:
        'Its state and what was asked. `eventId` names the event once the counterparty has confirmed. The token ' +
        'is never shown again: if it is lost, cancel the request and make another.',
      params: confirmationPath,
      answers: { 200: ConfirmationRecord },
      errors: ['NOT_FOUND'],
      handle: ({ caller, params }) => readConfirmation(deps, caller, params.id),
    }),
    'POST /confirmations/{id}/cancel': route({
      operationId: 'cancelConfirmation',
      ...own,
      access: anyKeyToAsk,
      summary: 'Take a request back that nobody has answered',
      description:
        'Ends a request that is still `PENDING`; its token then opens the preview alone. Nothing is written to ' +
        'the ledger. 409 `CONFIRMATION_NOT_PENDING` once it has been answered, cancelled or has expired.',
      params: confirmationPath,
      answers: { 200: ConfirmationRecord },
      errors: ['NOT_FOUND', 'CONFIRMATION_NOT_PENDING'],
      handle: ({ caller, params }) => cancelConfirmation(deps, caller, params.id),
    }),
  };
}

function ofCounterparty(deps: ConfirmationDeps): RouteTable {
  const withToken = { access: everyone, tag: 'Confirmations', params: confirmationPath };
  return {
    'GET /confirmations/{id}/preview': route({
      operationId: 'previewConfirmation',
      ...withToken,
      summary: 'Read what there is to confirm',
      description:
        'For whoever holds the token, which is all that is needed; answered or not. A wrong token and an unknown request get ' +
        'the same answer.',
      query: TokenQuery,
      queryError: () => 'CONFIRMATION_TOKEN_INVALID',
      answers: { 200: Preview },
      errors: ['CONFIRMATION_TOKEN_INVALID'],
      handle: async ({ params, query }) => {
        const now = deps.clock.now();
        return ok((await previewConfirmation(deps.db, { id: params.id, token: query.token, now })).preview);
      },
    }),
    'POST /confirmations/{id}/respond': route({
      operationId: 'respondToConfirmation',
      ...withToken,
      summary: 'Confirm or decline',
      description:
        'For whoever holds the token, once. `confirm` writes the event; the score of the subject follows within moments. ' +
        'The token is looked at first: without it nobody learns whether there is a request, nor how it stands.',
      writesLedger: true,
      body: RespondBody,
      itemsStandAlone: true,
      answers: { 200: Responded },
      errors: ['CONFIRMATION_TOKEN_INVALID', 'CONFIRMATION_NOT_PENDING', 'CONFIRMATION_SELF'],
      handle: async ({ params, body, ...sent }) => {
        const answer = { ...answerIn(body), id: params.id, answerer: answererOf(sent, 'api') };
        return ok(await respondToConfirmation(deps, { ...answer, now: deps.clock.now() }));
      },
    }),
  };
}

function campaigns(deps: ConfirmationDeps): RouteTable {
  const own = { access: keyFor('events'), tag: 'Campaigns' };
  return {
    'POST /activation/campaigns': route({
      operationId: 'startCampaign',
      ...own,
      summary: 'Ask for the confirmation of up to 500 past outcomes',
      description:
        'Each good row becomes a request for confirmation. A row is known by its `rowKey`: sent again, in the same batch or ' +
        'later under the same `name`, it answers `duplicate` and asks nobody twice. Where nothing in the batch is good: 400 ' +
        '`ACTIVATION_NO_VALID_ROWS`, with what is wrong with each row in `details`, and nothing is kept.',
      plan: 'campaigns',
      writesLedger: true,
      idempotent: true,
      body: CampaignBody,
      itemsStandAlone: true,
      answers: { 201: CampaignStarted },
      errors: ['ACTIVATION_NO_VALID_ROWS', 'CONFLICT'],
      handle: (context) => startCampaign(deps, context),
    }),
    'GET /activation/campaigns': route({
      operationId: 'listCampaigns',
      ...own,
      summary: 'List campaigns, each with how many have answered',
      description:
        'Those of the mode of the key, newest first. To see who has not answered yet, list the confirmations of one campaign: ' +
        '`GET /confirmations?campaignId=…&status=PENDING`.',
      query: CampaignQuery,
      answers: { 200: CampaignPage },
      handle: (context) => listCampaigns(deps, context),
    }),
    'GET /activation/campaigns/{id}': route({
      operationId: 'readCampaign',
      ...own,
      summary: 'Read how many of a campaign have answered',
      description:
        'How many rows of the campaign were asked, confirmed, declined, cancelled or have expired, and how many ' +
        'are still open. Counts only; list the requests themselves at `/confirmations`.',
      params: campaignPath,
      answers: { 200: CampaignFunnel },
      errors: ['NOT_FOUND'],
      handle: ({ caller, params }) => readCampaign(deps, caller, params.id),
    }),
  };
}
