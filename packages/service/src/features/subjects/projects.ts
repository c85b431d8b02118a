import type { Queryable } from '#kit/db/database.js';

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

/** Newest first, starting after `beforeId`. */
export function findProjects(
  db: Queryable,
  subjectId: string,
  beforeId: string | null,
  limit: number,
): Promise<Project[]> {
  return db.query<Project>(
    `select project_id as id, title, url, description, started_at, completed_at, created_at
     from project where subject_id = $1 and ($2::uuid is null or project_id < $2)
     order by project_id desc limit $3`,
    [subjectId, beforeId, limit],
  );
}
