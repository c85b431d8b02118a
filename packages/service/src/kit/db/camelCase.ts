import type { EventEmitter } from 'node:events';
import type { PoolClient } from 'pg';

/**
 * Makes every result of the connection name its columns in camelCase: `created_at` is read as `createdAt`. It happens once per
 * result, before pg builds the first row, so a row costs nothing more. Keys inside of json are values and stay as they are.
 */
export function nameColumnsInCamelCase(client: PoolClient): void {
  // pg has no option for it, and `connection` is missing in its types. values.test.ts fails where pg changes this.
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
