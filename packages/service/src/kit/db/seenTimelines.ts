import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readWholeFile, writeWholeFile } from '../wholeFile.js';

const SeenTimelines = z.record(
  z.string(),
  z.object({
    timeline: z.int().min(1),
    /** Where: host and port. */
    server: z.string(),
  }),
);

/** The newest timeline of each PostgreSQL cluster that was written to, by its system identifier. */
export type SeenTimelines = z.output<typeof SeenTimelines>;

export type SeenTimelinesFile = ReturnType<typeof seenTimelinesIn>;

/** Where a service keeps what must outlive both the process and the database. */
export interface StateFolder {
  readonly path: string;
  /** Otherwise the folder is used only if it exists. */
  readonly mayCreate: boolean;
}

export function seenTimelinesIn({ path: folder, mayCreate }: StateFolder) {
  const path = join(folder, 'database-timelines');
  return {
    async read(): Promise<SeenTimelines> {
      const text = await readWholeFile(path);
      if (text === null) return {};
      try {
        return SeenTimelines.parse(JSON.parse(text));
      } catch (error) {
        throw new Error(`the file ${path} cannot be read; restore it, or delete it`, { cause: error });
      }
    },
    async write(seen: SeenTimelines): Promise<void> {
      if (mayCreate || existsSync(folder))
        await writeWholeFile(path, `${JSON.stringify(seen)}\n`, { flush: true });
    },
  };
}

/** Servers on this timeline may be used again. Returns what is forgotten. */
export async function forgetTimelinesAbove(
  folder: StateFolder,
  timeline: number,
): Promise<SeenTimelines[string][]> {
  const file = seenTimelinesIn(folder);
  const seen = Object.entries(await file.read());
  const forgotten = seen.filter(([, each]) => each.timeline > timeline);
  if (forgotten.length > 0)
    await file.write(Object.fromEntries(seen.filter(([, each]) => each.timeline <= timeline)));
  return forgotten.map(([, each]) => each);
}
