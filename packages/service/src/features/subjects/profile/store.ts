import type { Queryable, Tx } from '../../../kit/db/database.js';
import type { ProfileOwner } from '../../../ledger/profile/qualifications.js';
import type { Project } from '../projects.js';

export async function insertProject(
  tx: Tx,
  { subjectId, platformId, livemode }: ProfileOwner,
  project: Project,
): Promise<void> {
  await tx.execute(
    `insert into project (subject_id, project_id, platform_id, livemode, title, url, description, started_at, completed_at,
       created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      subjectId,
      project.id,
      platformId,
      livemode,
      project.title,
      project.url,
      project.description,
      project.startedAt,
      project.completedAt,
      project.createdAt,
    ],
  );
}

export async function countProjects(db: Queryable, subjectId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::integer as count from project where subject_id = $1',
    [subjectId],
  );
  return row?.count ?? 0;
}

/** False if the subject has no such project. */
export async function deleteProjectRow(db: Queryable, subjectId: string, id: string): Promise<boolean> {
  const count = await db.execute('delete from project where subject_id = $1 and project_id = $2', [
    subjectId,
    id,
  ]);
  return count === 1;
}
