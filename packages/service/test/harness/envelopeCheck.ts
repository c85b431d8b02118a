import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { eventCatalogue } from '../../src/features/notify/webhooks/eventCatalogue.js';
import type { Database } from '../../src/kit/db/database.js';
import { closed } from './closedSchema.js';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const validators = new Map(
  eventCatalogue.events.map(({ type, schema }) => [String(type), ajv.compile(closed(schema) as object)]),
);

/**
 * Holds every envelope in a database, or those made since then, all of which have left or will, against the schema that `GET /webhooks/events` serves for
 * its type, and throws where they differ. Schemas are read as closed: what they do not name must not be told.
 */
export async function checkEnvelopes(db: Database, since?: Date): Promise<void> {
  const rows = await db.query<{ body: string; isSample: boolean }>(
    `select body, only_target is not null as is_sample from envelope
      where created_at >= coalesce($1::timestamptz, '-infinity')`,
    [since ?? null],
  );
  for (const { body, isSample } of rows) {
    const envelope = JSON.parse(body);
    // A sample says that it is one, beside what its type has.
    if (isSample && envelope.data.test === true) delete envelope.data.test;
    const validate = validators.get(envelope.type);
    if (validate?.(envelope)) continue;
    const faults = validate ? ajv.errorsText(validate.errors) : 'its type is not in the catalogue';
    throw new Error(`an envelope is not as its schema says: ${faults}\n${body}`);
  }
}
