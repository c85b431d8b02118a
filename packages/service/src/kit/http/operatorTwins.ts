import { z } from 'zod';
import { pathText } from './query.js';
import type { OperatorCaller, Owner, Route, RouteTable } from './route.js';
import { operator } from './route.js';

export type FindOwner = (platformId: string) => Promise<Owner>;

/**
 * The operator twins of routes with `keyOrOperatorFor` access: `GET /monitors/{id}` is also `GET
 * /admin/platforms/{id}/monitors/{monitorId}`, operation `adminReadMonitor`, with the platform in the
 * path as the owner. Not of operations on keys, usage and activity: no key limits what the operator
 * may grant, and the operator reads both modes.
 */
export function operatorTwins(table: RouteTable, findOwner: FindOwner): RouteTable {
  const owned = Object.entries(table).filter(([, route]) => 'isOperatorsToo' in route.access);
  return Object.fromEntries(owned.map(([name, route]) => twinOf(name, route, findOwner)));
}

function twinOf(name: string, route: Route, findOwner: FindOwner): [string, Route] {
  const [method, path = ''] = name.split(' ');
  const idName = `${path.split('/')[1]?.replace(/s$/, '')}Id`; // /monitors/{id} -> monitorId
  const twin: Route = {
    ...route,
    access: operator,
    tag: 'Operator',
    twinOf: route.operationId,
    operationId: `admin${route.operationId.charAt(0).toUpperCase()}${route.operationId.slice(1)}`,
    summary: `For a platform: ${route.summary.charAt(0).toLowerCase()}${route.summary.slice(1)}`,
    description: `${route.description}\n\nThe same as \`${name}\`, on live data of the platform in the path.`,
    params: twinParams(route, idName),
    errors: [...new Set([...(route.errors ?? []), 'NOT_FOUND' as const])],
    async handle(context) {
      const { id, [idName]: ownId, ...others } = context.params as Record<string, string>;
      const { actor } = context.caller as OperatorCaller;
      const owner = { ...(await findOwner(id ?? '')), actor };
      return route.handle({ ...context, owner, params: { ...others, id: ownId } });
    },
  };
  return [`${method} /admin/platforms/{id}${path.replace('{id}', `{${idName}}`)}`, twin];
}

const PLATFORM_ID = pathText();

function twinParams({ params }: Route, idName: string): z.ZodType {
  if (!(params instanceof z.ZodObject)) return z.object({ id: PLATFORM_ID });
  const { id, ...others } = params.shape;
  return z.object({ id: PLATFORM_ID, [idName]: id, ...others });
}
