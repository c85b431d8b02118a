import { z } from 'zod';

export type Seeded = z.output<typeof Seeded>;
export const Seeded = z
  .object({
    subjects: z.array(
      z.object({
        userId: z.string(),
        about: z.string().meta({ description: 'What to look for in this history.' }),
      }),
    ),
  })
  .meta({
    id: 'SandboxSeeded',
    description: 'The synthetic subjects in test mode.',
    example: {
      subjects: [
        {
          userId: 'sandbox-steady',
          about: 'Thirty confirmed jobs over eleven months, all on time.',
        },
      ],
    },
  });

export type Reset = z.output<typeof Reset>;
export const Reset = z
  .object({
    deleted: z.object({
      subjects: z.int().min(0).meta({ description: 'Number of deleted subjects.' }),
      events: z.int().min(0).meta({ description: 'Number of deleted events.' }),
    }),
  })
  .meta({
    id: 'SandboxReset',
    description: 'The deleted test data.',
    example: { deleted: { subjects: 5, events: 71 } },
  });
