import { describe, expect, test } from 'vitest';
import { isRead, nameShards } from '../../../src/shape/citus/placement.js';

const shards = new Map(['event', 'subject', 'score', 'job'].map((table) => [table, `${table}_1`]));
const named = (text: string) => nameShards(text, shards);

describe('a statement for a distributed group', () => {
  test.each([
    ['a table', 'select * from event where x = 1', 'select * from event_1 as event where x = 1'],
    ['a table at the end', 'select 1 from event', 'select 1 from event_1 as event'],
    [
      'an alias',
      'select e.x from event e join score as s using (y)',
      'select e.x from event_1 e join score_1 as s using (y)',
    ],
    ['a qualified column', 'update event set x = event.y', 'update event_1 as event set x = event.y'],
    [
      'an insert with its conflict',
      'insert into event (x) values ($1) on conflict (x) do update set x = event.x',
      'insert into event_1 as event (x) values ($1) on conflict (x) do update set x = event.x',
    ],
    [
      'a deletion with another table',
      'delete from event using subject where event.x = subject.x',
      'delete from event_1 as event using subject_1 as subject where event.x = subject.x',
    ],
    [
      'a subquery',
      'select (select count(*) from event) from score',
      'select (select count(*) from event_1 as event) from score_1 as score',
    ],
    [
      'a lock of rows',
      'select 1 from job join score using (id) for update of job',
      'select 1 from job_1 as job join score_1 as score using (id) for update of job',
    ],
  ])('names the shard of %s', (_, text, expected) => {
    expect(named(text)).toBe(expected);
  });

  test.each([
    ['a part of the statement with the same name', 'with event as (select 1) select * from event'],
    ['a column', 'select subject, score from unnest($1) as x (subject, score)'],
    ['a comparison', 'select 1 where a is distinct from subject'],
    ['a text', "select 'from event'"],
    ['a comment', 'select 1 -- from event'],
    ['a function', 'select * from score(1)'],
    ['a table of another schema', 'select * from other.event'],
  ])('leaves %s as it is', (_, text) => {
    expect(named(text)).toBe(text);
  });

  test.each([
    ['writes', 'insert into platform (x) select x from platform'],
    ['updates', 'update platform set x = 1'],
    ['locks', 'select 1 from platform where x = 1 for update'],
  ])('that %s a table of no group is left as it is', (_, text) => {
    expect(named(text)).toBe(text);
  });

  test.each([
    ['select 1 from event', true],
    ['\n  with a as (select 1) select * from a', true],
    ['with gone as (delete from event returning 1) select 1 from gone', false],
    ['select 1 from job for update skip locked', false],
    ["select pg_notify($1, '')", true],
    ["with gone as (delete from event) select pg_notify($1, '')", false],
    ['select pg_try_advisory_xact_lock(1)', false],
    ['insert into event (x) values (1)', false],
  ])('is a read or not: %s', (text, expected) => {
    expect(isRead(text)).toBe(expected);
  });
});
