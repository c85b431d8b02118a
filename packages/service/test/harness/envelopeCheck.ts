import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Database } from '#kit/db/database.js';
import { eventCatalogue } from '../../src/features/notify/webhooks/directory.js';
import { closed } from './closedSchema.js';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const validators = new Map(
  eventCatalogue.events.map(({ type, schema }) => [String(type), ajv.compile(closed(schema) as object)]),
);

/**
 * Checks every envelope in a database that no erasure has emptied, or those made since a time, against the schema that `GET
 * /webhooks/events` serves for its type. Throws on a difference. Schemas are closed here: an
 * envelope has no undocumented field.
 */
export async function checkEnvelopes(db: Database, since?: Date): Promise<void> {
  const rows = await db.query<{ body: string; isSample: boolean }>(
    `select body, only_target is not null as is_sample from envelope
      where created_at >= coalesce($1::timestamptz, '-infinity') and body <> ''`,
    [since ?? null],
  );
  for (const { body, isSample } of rows) {
    const envelope = JSON.parse(body);
    // A sample has an additional field that marks it.
    if (isSample && envelope.data.test === true) delete envelope.data.test;
    const validate = validators.get(envelope.type);
    if (validate?.(envelope)) continue;
    const errors = validate ? ajv.errorsText(validate.errors) : 'its type is not in the catalogue';
    throw new Error(`an envelope is not as its schema says: ${errors}\n${body}`);
  }
}
