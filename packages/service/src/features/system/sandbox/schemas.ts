import { z } from 'zod';

export type Seeded = z.output<typeof Seeded>;
export const Seeded = z
  .object({
    subjects: z.array(
      z.object({
        userId: z.string(),
        about: z.string(),
      }),
    ),
  })
  .meta({ id: 'SandboxSeeded' });

export type Reset = z.output<typeof Reset>;
export const Reset = z
  .object({
    deleted: z.object({
      subjects: z.int().min(0),
      events: z.int().min(0),
    }),
  })
  .meta({ id: 'SandboxReset' });
