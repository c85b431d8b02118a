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

/** Public, cacheable reference data (RULES Y5). */
export function catalogueRoutes({ config }: CatalogueDeps): RouteTable {
  const showTemplates = templateCatalogue();
  return {
    'GET /scoring/model': catalogue({
      operationId: 'readScoringModel',
      summary: 'Read the scoring model as data',
      description:
        'Every constant of the formula, how they work together, and the limits of a score. Any change of a constant is a new formula version.',
      schema: ScoringModel,
      content: scoringModel,
    }),
    'GET /reason-codes': catalogue({
      operationId: 'listReasonCodes',
      summary: 'List the reason codes',
      description:
        'Reasons explain a score by the recorded outcomes. They are not a decision and not a notice.',
      schema: ReasonCodes,
      content: reasonCodeCatalog,
    }),
    'GET /enums': catalogue({
      operationId: 'listEnums',
      summary: 'List every closed set of values',
      description: 'Values may be added within v1, so read the current set here.',
      schema: Enums,
      content: enumsCatalog,
    }),
    'GET /errors': catalogue({
      operationId: 'listErrors',
      summary: 'List the error codes',
      description:
        'Every code with its HTTP status, its meaning, and whether a retry can help. Codes may be added within v1: ' +
        'handle an unknown code by its status and `retryable`.',
      schema: ErrorCatalogue,
      content: { errors: errorList() },
    }),
    'GET /changelog': catalogue({
      operationId: 'readChangelog',
      summary: 'Read the changelog',
      description: 'A deprecation is announced here at least 180 days before it takes effect.',
      schema: Changelog,
      content: { entries: changelog },
    }),
    'GET /plans': catalogue({
      operationId: 'listPlans',
      summary: 'List the plans and their limits',
      description:
        'Requests per minute, calls per month, limits and features of each plan on this installation. A plan never changes a ' +
        'score.',
      schema: PlanCatalogue,
      content: plansCatalog(config.anonymousRateLimitPerMinute),
    }),
    'GET /outcome-templates': route({
      operationId: 'listOutcomeTemplates',
      access: everyone,
      tag: TAG,
      summary: 'List outcome templates by industry',
      description:
        'Guidance for reporting: the type, the stake, the party that could confirm it, and the meaning of the dates.',
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
