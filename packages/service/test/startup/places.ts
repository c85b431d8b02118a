import { rmSync } from 'node:fs';
import { inject } from 'vitest';
import { freshName, onServer } from '#harness/postgresCluster.js';
import { scratchFolder } from '#harness/scratchFolder.js';
import { endChildren } from './childService.js';

const folders: string[] = [];
/** Statements that undo what the tests made, in the order in which it was made. */
const undoing: string[] = [];

export function newFolder(): string {
  const folder = scratchFolder('reliability-start-');
  folders.push(folder);
  return folder;
}

export async function newRole(): Promise<string> {
  const role = freshName('reliability_role');
  await asSuperuser([`create role ${role} login`]);
  undoing.push(`drop role ${role}`);
  return role;
}

/** The address of a new database on the server of the tests, for its owner. Default: the superuser. */
export async function emptyDatabase(owner?: string): Promise<string> {
  const name = freshName('reliability_start');
  await asSuperuser([`create database ${name}${owner ? ` owner ${owner}` : ''}`]);
  undoing.push(`drop database ${name} with (force)`);
  const url = new URL(inject('testPostgresUrl') ?? '');
  url.pathname = `/${name}`;
  if (owner) url.username = owner;
  return url.href;
}

/** Kills the processes that run, and deletes all folders, databases and roles. */
export async function cleanUp(): Promise<void> {
  await endChildren();
  await asSuperuser(undoing.splice(0).reverse());
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function asSuperuser(statements: readonly string[]): Promise<void> {
  if (statements.length === 0) return;
  await onServer(inject('testPostgresUrl') ?? '', async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}
