import { model, reasonCodeCatalog } from '@reliability/scoring';
import type { z } from 'zod';
import { changelog } from '../../domain/catalogues/changelog.js';
import { enumsCatalog } from '../../domain/catalogues/enumsCatalog.js';
import { plansCatalog } from '../../domain/catalogues/plans.js';
import { errorCatalog } from '../../domain/errorCatalog.js';
import { fixedDocument } from '../../kit/http/fixedDocument.js';
import { everyone, type Route, type RouteTable, route } from '../../kit/http/route.js';
import { Enums } from './enumsSchema.js';
import { ScoringModel } from './modelSchema.js';
import {
  Changelog,
  ErrorCatalogue,
  IndustryQuery,
  OutcomeTemplates,
  PlanCatalogue,
  ReasonCodes,
} from './schemas.js';
import { templateCatalogue } from './showOutcomeTemplates.js';

interface CatalogueParts {
  config: { anonymousRateLimitPerMinute: number };
}

/** What the service knows in general (INTERFACE 2.2, 2.3, 2.6, 4.2, 7, 9), open to everyone and cacheable. */
export function catalogueRoutes({ config }: CatalogueParts): RouteTable {
  const showTemplates = templateCatalogue();
  return {
    'GET /scoring/model': catalogue({
      summary: 'Read the scoring model as data',
      description: 'Every constant of the formula. A change of any of them is a new formula version.',
      schema: ScoringModel,
      content: model,
    }),
    'GET /reason-codes': catalogue({
      summary: 'List the reason codes',
      description: 'Reasons attribute a score to what is on record. They are no decision and no notice.',
      schema: ReasonCodes,
      content: reasonCodeCatalog,
    }),
    'GET /enums': catalogue({
      summary: 'List every closed set of values',
      description: 'Sets may gain values within v1, so read the live set here.',
      schema: Enums,
      content: enumsCatalog,
    }),
    'GET /errors': catalogue({
      summary: 'List the error codes',
      schema: ErrorCatalogue,
      content: { errors: errorList() },
    }),
    'GET /changelog': catalogue({
      summary: 'Read what has changed',
      description: 'A deprecation is announced here at least 180 days before the end.',
      schema: Changelog,
      content: { entries: changelog },
    }),
    'GET /plans': catalogue({
      summary: 'List the plans and their limits',
      schema: PlanCatalogue,
      content: plansCatalog(config.anonymousRateLimitPerMinute),
    }),
    'GET /outcome-templates': route({
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
  summary: string;
  description?: string;
  schema: z.ZodType;
  content: object;
}

function catalogue({ summary, description, schema, content }: Catalogue): Route {
  const handle = fixedDocument(content);
  return route({
    access: everyone,
    tag: TAG,
    summary,
    description,
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
