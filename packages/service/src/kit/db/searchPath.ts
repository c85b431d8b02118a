import type { PoolClient } from 'pg';
import { asThrown } from './errors.js';

/** The search path of each connection that has left its own. */
const pathOf = new WeakMap<PoolClient, string>();

/**
 * Makes sure that names resolve on the connection's own path (null) or on `path`. It waits for the
 * switch: a statement sent behind a failed switch would run in another group's tables. A connection
 * keeps its path, so only the first statement of another group waits.
 */
export function enterPath(client: PoolClient, path: string | null): Promise<void> | undefined {
  return (pathOf.get(client) ?? null) === path ? undefined : switchTo(client, path);
}

/** The statement that opens a transaction on `path`: a failed switch fails the whole transaction. */
export function beginOn(client: PoolClient, path: string | null, mode: TransactionMode): string {
  const begin = beginIn(mode);
  if ((pathOf.get(client) ?? null) === path) return begin;
  return `${begin}; set local search_path to ${path ?? 'default'}`;
}

async function switchTo(client: PoolClient, path: string | null): Promise<void> {
  try {
    await client.query(`set search_path to ${path ?? 'default'}`);
  } catch (error) {
    throw asThrown(error);
  }
  if (path === null) pathOf.delete(client);
  else pathOf.set(client, path);
}

/** `view`: read-only, and all statements see the moment of the first one. */
export type TransactionMode = 'write' | 'read' | 'view';

export function beginIn(mode: TransactionMode): string {
  if (mode === 'view') return 'begin isolation level repeatable read, read only';
  return mode === 'read'
    ? 'begin isolation level read committed, read only'
    : 'begin isolation level read committed';
}
