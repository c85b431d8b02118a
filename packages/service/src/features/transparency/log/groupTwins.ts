import { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { Route, RouteTable } from '../../../kit/http/route.js';

/**
 * The files of the log of each ledger group: `GET /log/checkpoint` of the first is also `GET
 * /log/g0/checkpoint`. A twin runs the same handler in the group of that name.
 */
export function groupTwins(table: RouteTable, group: number): RouteTable {
  const files = Object.entries(table).filter(([name]) => name.startsWith(FILES));
  return Object.fromEntries(files.map(([name, route]) => twinOf(name, route, group)));
}

const FILES = 'GET !/log/';

function twinOf(name: string, route: Route, group: number): [string, Route] {
  const twin: Route = {
    ...route,
    operationId: route.operationId.replace('readLog', 'readGroupLog'),
    summary: `For a ledger group: ${route.summary.charAt(0).toLowerCase()}${route.summary.slice(1)}`,
    description:
      `${route.description}\n\nThe same as \`${name.replace('!', '')}\`, of a ledger group with a log of its own. ` +
      '`/.well-known/ledger-log.json` lists the logs.',
    params: twinParams(route),
    errors: [...new Set([...(route.errors ?? []), 'NOT_FOUND' as const])],
    groupOf: ({ params }) => Math.max(0, groupOfName(params)),
    handle(context) {
      const { log, ...params } = context.params as Record<string, string>;
      if (groupOfName({ log }) !== group) {
        return fail('NOT_FOUND', { message: 'There is no log with this name.' });
      }
      return route.handle({ ...context, params });
    },
  };
  return [name.replace('/log/', '/log/{log}/'), twin];
}

/** -1: not the name of a log. */
function groupOfName(params: unknown): number {
  const { log = '' } = params as { log?: string };
  return Number(/^g(0|[1-9]\d{0,2})$/.exec(log)?.[1] ?? -1);
}

const LOG_NAME = z.string().max(4);

function twinParams({ params }: Route): z.ZodType {
  return z.object({ log: LOG_NAME, ...(params instanceof z.ZodObject ? params.shape : {}) });
}
