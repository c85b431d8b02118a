import { describe, expect, test } from 'vitest';
import { parseDatabaseUrl } from '#kit/db/databaseUrl.js';

describe('a DATABASE_URL', () => {
  test('of one server is left as it is', () => {
    const url = 'postgres://user:p%40ss@db.example:6432/name?sslmode=require';
    expect(parseDatabaseUrl(url)).toEqual({
      url,
      servers: [{ host: 'db.example', port: 6432 }],
      mustAcceptWrites: false,
    });
  });

  test('of several servers names them in order, with the default port', () => {
    const url = 'postgres://user:p@ss@one,[::1]:5433,10.0.0.3:5434/name?target_session_attrs=read-write';
    expect(parseDatabaseUrl(url)).toMatchObject({
      servers: [
        { host: 'one', port: 5432 },
        { host: '::1', port: 5433 },
        { host: '10.0.0.3', port: 5434 },
      ],
      mustAcceptWrites: true,
    });
  });

  test('of one server can ask for one that accepts writes', () => {
    expect(parseDatabaseUrl('postgres://one/name?target_session_attrs=primary').mustAcceptWrites).toBe(true);
  });

  test.each(['any', 'standby', 'read-only', 'prefer-standby'])('refuses target_session_attrs=%s', (value) => {
    expect(() => parseDatabaseUrl(`postgres://one,two/name?target_session_attrs=${value}`)).toThrow(
      /the service writes, so use read-write/,
    );
  });

  test.each(['mysql://one/name', 'postgres://one:port/name', 'postgres://one,two:99999/name', 'one'])(
    'refuses %s without quoting it',
    (url) => {
      expect(() => parseDatabaseUrl(url)).toThrow(/^must be a URL such as/);
    },
  );
});
