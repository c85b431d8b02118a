import type { Queryable, Tx } from '../../../kit/db/database.js';
import { insertRow, pick } from '../../../kit/db/rows.js';
import type { ProfileOwner } from '../../../ledger/profile/qualifications.js';
import type { Project } from '../projects.js';

export async function insertProject(
  tx: Tx,
  { subjectId, platformId, livemode }: ProfileOwner,
  project: Project,
): Promise<void> {
  await insertRow(tx, 'project', {
    ...pick(project, 'title', 'url', 'description', 'startedAt', 'completedAt', 'createdAt'),
    subjectId,
    projectId: project.id,
    platformId,
    livemode,
  });
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
