import { z } from 'zod';
import { looseItems } from '../../../kit/http/openapiSchemas.js';
import { cursorParam, instant, pageLimit, pathText, storableText } from '../../../kit/http/query.js';
import { itemsRecorded, Warnings } from '../appendItems.js';
import { MappingRules } from '../mappings.js';

const Record = z.record(z.string(), z.unknown());

/** Loose, so that a warning can name a misspelt property. */
export const IngestBody = z
  .looseObject({
    records: z.array(looseItems(Record)).min(1).max(100),
    mapping: looseItems(MappingRules).nullish(),
    mappingId: z.string().max(255).meta({ format: 'uuid' }).nullish(),
  })
  .meta({ id: 'IngestRequest' });

export const Ingested = z
  .object({
    ...itemsRecorded,
    warnings: Warnings.optional(),
  })
  .meta({ id: 'Ingested' });

export type NewMapping = z.output<typeof NewMapping>;
export const NewMapping = z
  .object({ name: storableText(1, 255), mapping: looseItems(MappingRules) })
  .meta({ id: 'NewMapping' });

export type SavedMapping = z.output<typeof SavedMapping>;
export const SavedMapping = z
  .object({
    id: z.uuid(),
    name: z.string(),
    mapping: MappingRules,
    createdAt: instant,
  })
  .meta({ id: 'SavedMapping' });

export const MappingPage = z
  .object({ mappings: z.array(SavedMapping), nextCursor: z.string().nullable() })
  .meta({ id: 'SavedMappingPage' });

export const MappingQuery = z.object({ limit: pageLimit(100, 25), cursor: cursorParam });

export const mappingPath = z.object({
  id: pathText(),
});
