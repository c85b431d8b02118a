import type { Database } from '#kit/db/database.js';
import type { Route, RouteTable } from '#kit/http/route.js';
import { isUuid } from '#kit/ids.js';
import { findPlatformGroup, findSubjectGroup, unopenedGroup } from '#ledger/groups/store.js';

type Choose = (context: Parameters<Route['handle']>[0]) => number | Promise<number>;

interface ServedGroup {
  core: { db: Database };
  table: RouteTable;
}

/**
 * Lets each route of the first group hand requests to the group that they concern. The server calls
 * `handle` of these routes, so a process with one group has nothing to choose.
 * @param groups grows when groups are added.
 * @param closed groups of these that this process does not serve yet.
 */
export function serveGroups(groups: readonly ServedGroup[], closed: ReadonlySet<number>): void {
  const [first] = groups;
  if (!first) return;
  const handles = () => groups.map(({ core }) => core.db);
  const directory = { ofSubject: (id: string) => findSubjectGroup(handles(), id) };
  for (const [name, route] of Object.entries(first.table)) {
    const own = route.handle.bind(route);
    if (route.joinGroups) {
      const { joinGroups } = route;
      route.handle = async (context) => {
        const answers = [await own(context)];
        for (const { core } of groups.slice(1))
          answers.push(await routeIn(core.db.ledgers.own, name).handle(context));
        return joinGroups(answers);
      };
      continue;
    }
    const choose = chooserOf(name, route);
    if (!choose) continue;
    route.handle = async (context) => {
      const chosen = choose(context);
      const group = chosen instanceof Promise ? await chosen : chosen;
      return group === 0 ? own(context) : routeIn(group, name).handle(context);
    };
  }

  /** Null: group 0 serves all. */
  function chooserOf(name: string, route: Route): Choose | null {
    const { groupOf } = route;
    if (groupOf) {
      return async (context) => {
        const group = await groupOf(context, directory);
        return group !== null && groups[group] ? group : 0; // which knows nothing by that name
      };
    }
    if (route.access.kind === 'key') return ({ owner }) => owner?.group ?? 0;
    if (name.includes(' /admin/platforms/{id}')) return ({ params }) => groupOfPlatform(params);
    return null;
  }

  async function groupOfPlatform(params: unknown): Promise<number> {
    const { id } = params as { id: string };
    const group = isUuid(id) && first ? await findPlatformGroup(first.core.db, id) : null;
    return group ?? 0;
  }

  function routeIn(group: number, name: string): Route {
    const route = groups[group]?.table[name];
    if (route && !closed.has(group)) return route;
    throw unopenedGroup(group);
  }
}
