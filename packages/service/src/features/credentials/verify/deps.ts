import type { z } from 'zod';
import type { LoadShared } from '../issuing/sharedRecords.js';

/** The professional profile, as far as strangers may see it: what it looks like, and where it comes from. */
export interface SharedProfile {
  readonly schema: z.ZodObject;
  /** Null for a subject that has none. Holds no external id. */
  read(subjectId: string): Promise<object | null>;
}

export interface VerifyDeps {
  loadShared: LoadShared;
  /** Null: there is none, and `profile` is null for everybody. */
  sharedProfile: SharedProfile | null;
}
