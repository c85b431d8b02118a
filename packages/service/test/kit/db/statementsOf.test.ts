import { expect, test } from 'vitest';
import { statementsOf } from '#kit/db/migrate.js';

test('a script is taken apart at the semicolons between its statements', () => {
  const script = `
-- a comment; with a semicolon
create table a (b text default 'x;''y'); insert into a values ('"'); -- another;
create function f() returns text language sql as $body$ select 1; select ';' $body$;
do $$ begin perform 1; end $$;
select ";" from a`;
  expect(statementsOf(script)).toEqual([
    "create table a (b text default 'x;''y')",
    `insert into a values ('"')`,
    "create function f() returns text language sql as $body$ select 1; select ';' $body$",
    'do $$ begin perform 1; end $$',
    'select ";" from a',
  ]);
});
