import { reasonCodeCatalog } from '@reliability/scoring';
import type { z } from 'zod';
import { plansCatalog } from '#domain/catalogues/plans.js';
import { errorCatalog } from '#domain/errorCatalog.js';
import { fixedDocument } from '#kit/http/fixedDocument.js';
import { everyone, type Route, type RouteTable, route } from '#kit/http/route.js';
import changelog from '../../../../data/changelog.json' with { type: 'json' };
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
      schema: ScoringModel,
      content: scoringModel,
    }),
    'GET /reason-codes': catalogue({
      operationId: 'listReasonCodes',
      schema: ReasonCodes,
      content: reasonCodeCatalog,
    }),
    'GET /enums': catalogue({
      operationId: 'listEnums',
      schema: Enums,
      content: enumsCatalog,
    }),
    'GET /errors': catalogue({
      operationId: 'listErrors',
      schema: ErrorCatalogue,
      content: { errors: errorList() },
    }),
    'GET /changelog': catalogue({
      operationId: 'readChangelog',
      schema: Changelog,
      content: { entries: changelog },
    }),
    'GET /plans': catalogue({
      operationId: 'listPlans',
      schema: PlanCatalogue,
      content: plansCatalog(config.anonymousRateLimitPerMinute),
    }),
    'GET /outcome-templates': route({
      operationId: 'listOutcomeTemplates',
      access: everyone,
      tag: TAG,
      query: IndustryQuery,
      answers: { 200: OutcomeTemplates, 304: null },
      handle: showTemplates,
    }),
  };
}

const TAG = 'Catalogues';

interface Catalogue {
  operationId: string;
  schema: z.ZodType;
  content: object;
}

function catalogue({ schema, content, operationId }: Catalogue): Route {
  const handle = fixedDocument(content);
  return route({
    access: everyone,
    tag: TAG,
    operationId,
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
