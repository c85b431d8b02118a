import type { EventEmitter } from 'node:events';
import type { PoolClient } from 'pg';

/**
 * Names the columns of every result in camelCase: `created_at` becomes `createdAt`. It happens once
 * per result, before pg builds the first row, so rows cost nothing more. Keys inside JSON values
 * stay as they are.
 */
export function nameColumnsInCamelCase(client: PoolClient): void {
  // pg has no option for it, and its types lack `connection`. values.test.ts fails if pg changes
  // this.
  const { connection } = client as unknown as { connection: EventEmitter };
  connection.prependListener('rowDescription', ({ fields }: { fields: { name: string }[] }) => {
    for (const field of fields) {
      if (field.name.includes('_')) field.name = toCamelCase(field.name);
    }
  });
}

function toCamelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
