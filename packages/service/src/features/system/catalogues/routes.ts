import { reasonCodeCatalog } from '@reliability/scoring';
import type { z } from 'zod';
import { plansCatalog } from '../../../domain/catalogues/plans.js';
import { errorCatalog } from '../../../domain/errorCatalog.js';
import { fixedDocument } from '../../../kit/http/fixedDocument.js';
import { everyone, type Route, type RouteTable, route } from '../../../kit/http/route.js';
import { changelog } from './changelog.js';
import { enumsCatalog } from './enumsCatalog.js';
import { Enums } from './enumsSchema.js';
import { ScoringModel, scoringModel } from './modelSchema.js';
import {
  Changelog,
  ErrorCatalogue,
  IndustryQuery,
  OutcomeTemplates,
  PlanCatalogue,
  ReasonCodes,
} from './schemas.js';
import { templateCatalogue } from './showOutcomeTemplates.js';

interface CatalogueDeps {
  config: { anonymousRateLimitPerMinute: number };
}

/** What the service knows in general (RULES Y5), open to everyone and cacheable. */
export function catalogueRoutes({ config }: CatalogueDeps): RouteTable {
  const showTemplates = templateCatalogue();
  return {
    'GET /scoring/model': catalogue({
      operationId: 'readScoringModel',
      summary: 'Read the scoring model as data',
      description:
        'Every constant of the formula, how they work together, and what a score does not say. A change of any constant is a new formula version.',
      schema: ScoringModel,
      content: scoringModel,
    }),
    'GET /reason-codes': catalogue({
      operationId: 'listReasonCodes',
      summary: 'List the reason codes',
      description: 'Reasons attribute a score to what is on record. They are no decision and no notice.',
      schema: ReasonCodes,
      content: reasonCodeCatalog,
    }),
    'GET /enums': catalogue({
      operationId: 'listEnums',
      summary: 'List every closed set of values',
      description: 'Sets may gain values within v1, so read the live set here.',
      schema: Enums,
      content: enumsCatalog,
    }),
    'GET /errors': catalogue({
      operationId: 'listErrors',
      summary: 'List the error codes',
      description:
        'Every code with its status, whether a retry can help and what it means. Codes may be added within v1: ' +
        'treat one that you do not know by its status and `retryable`.',
      schema: ErrorCatalogue,
      content: { errors: errorList() },
    }),
    'GET /changelog': catalogue({
      operationId: 'readChangelog',
      summary: 'Read what has changed',
      description: 'A deprecation is announced here at least 180 days before the end.',
      schema: Changelog,
      content: { entries: changelog },
    }),
    'GET /plans': catalogue({
      operationId: 'listPlans',
      summary: 'List the plans and their limits',
      description:
        'What each plan allows: requests a minute, calls a month, caps and features. A plan never changes a ' +
        'score. The figures are those of this installation.',
      schema: PlanCatalogue,
      content: plansCatalog(config.anonymousRateLimitPerMinute),
    }),
    'GET /outcome-templates': route({
      operationId: 'listOutcomeTemplates',
      access: everyone,
      tag: TAG,
      summary: 'List templates of outcomes by industry',
      description:
        'Guidance for reporting: which type, which stake, who could confirm it, and what the dates mean.',
      query: IndustryQuery,
      answers: { 200: OutcomeTemplates, 304: null },
      handle: showTemplates,
    }),
  };
}

const TAG = 'Catalogues';

interface Catalogue {
  operationId: string;
  summary: string;
  description: string;
  schema: z.ZodType;
  content: object;
}

function catalogue({ schema, content, ...texts }: Catalogue): Route {
  const handle = fixedDocument(content);
  return route({
    access: everyone,
    tag: TAG,
    ...texts,
    answers: { 200: schema, 304: null },
    handle,
  });
}

function errorList(): object[] {
  return Object.entries(errorCatalog).map(([code, { status, retryable, message }]) => ({
    code,
    status,
    retryable,
    description: message,
  }));
}
