import { z } from 'zod';
import type { OutcomeEvent, Reporter } from '#domain/outcomeEvent.js';
import { scoreFields } from '#domain/scoreFields.js';
import { groupBy } from '#kit/lists.js';

export const dryRunQuery = { dryRun: z.enum(['0', '1']).optional() };

/** Whether a request with `dryRunQuery` writes nothing. */
export function isDryRun({ dryRun }: { readonly dryRun?: '0' | '1' | undefined }): boolean {
  return dryRun === '1';
}

export type ProjectedScore = z.output<typeof ProjectedScore>;
export const ProjectedScore = z
  .object({
    userId: z.string(),
    finalScore: scoreFields.finalScore,
    scoreBand: scoreFields.scoreBand,
    delta: z.number(),
    frozen: scoreFields.frozen,
  })
  .meta({ id: 'ProjectedScore' });

/** What the score reads of an outcome. */
type Scored = Pick<OutcomeEvent, 'eventType' | 'stakeLevel' | 'isVerified' | 'dueDate' | 'completedAt'>;

/** The score of a subject with these outcomes, as they would be recorded. Writes nothing. */
export type ProjectOutcomes = (
  reporter: Reporter,
  userId: string,
  events: readonly Scored[],
) => Promise<{
  readonly projected: { readonly score: number; readonly band: ProjectedScore['scoreBand'] };
  readonly delta: { readonly score: number };
  readonly frozen: boolean;
}>;

/** The projected score of each subject, in the order of the request. `added`: the event would be written. */
export async function projectedScores(
  project: ProjectOutcomes,
  reporter: Reporter,
  events: readonly (Scored & { readonly userId: string; readonly added: boolean })[],
): Promise<ProjectedScore[]> {
  const scores: ProjectedScore[] = [];
  for (const [userId, own] of groupBy(events, (event) => event.userId)) {
    const added = own.filter((event) => event.added);
    const { projected, delta, frozen } = await project(reporter, userId, added);
    const { score: finalScore, band: scoreBand } = projected;
    scores.push({ userId, finalScore, scoreBand, delta: delta.score, frozen });
  }
  return scores;
}
