import { type Dispatcher, Pool } from 'undici';

/**
 * A pool of connections for each origin, removed with its last connection. undici 7 does the same
 * in Agent, but drops a pool even when requests wait in it and opens another: a receiver that
 * closes after each answer then gets many times `connections`.
 */
export function createOriginPools(options: Pool.Options) {
  const pools = new Map<string, Pool>();

  return {
    dispatch(request: Dispatcher.DispatchOptions & { origin: string }, handler: Dispatcher.DispatchHandler) {
      const pool = pools.get(request.origin) ?? open(request.origin);
      pool.dispatch(request, handler);
    },
    /** Origins with a connection or a waiting request. */
    get size() {
      return pools.size;
    },
    async destroy() {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map((pool) => pool.destroy()));
    },
  };

  function open(origin: string): Pool {
    const pool = new Pool(origin, options);
    const forgetIfIdle = (): void => {
      const { connected, size } = pool.stats;
      if (connected > 0 || size > 0 || pools.get(origin) !== pool) return;
      pools.delete(origin);
      void pool.destroy();
    };
    // Not at once: the reporting client first starts the next request in its queue.
    const forgetSoonIfIdle = (): void => queueMicrotask(forgetIfIdle);
    pool.on('disconnect', forgetSoonIfIdle).on('connectionError', forgetSoonIfIdle);
    pools.set(origin, pool);
    return pool;
  }
}
