import type { Queryable } from '#kit/db/database.js';
import { type PageQuery, pageById } from '#ledger/reads/ownedRows.js';

/** A link to own work, as stored. */
export interface Project {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly description: string | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly createdAt: Date;
}

/** A page, newest first. */
export function findProjects(db: Queryable, subjectId: string, query: PageQuery) {
  const select = `select project_id as id, title, url, description, started_at, completed_at, created_at
    from project where subject_id = $1`;
  return pageById<Project>(db, select, 'project_id', [subjectId], query);
}
