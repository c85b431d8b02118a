import { z } from 'zod';

export const Seeded = z
  .object({
    subjects: z.array(
      z.object({
        userId: z.string(),
        about: z.string().meta({ description: 'What to look for in this record.' }),
      }),
    ),
  })
  .meta({
    id: 'SandboxSeeded',
    description: 'The synthetic subjects that the test mode now holds.',
    example: {
      subjects: [
        {
          userId: 'sandbox-steady',
          about: 'Thirty confirmed jobs over eleven months, every one of them on time.',
        },
      ],
    },
  });

export const Reset = z
  .object({
    deleted: z.object({
      subjects: z.int().min(0).meta({ description: 'How many subjects.' }),
      events: z.int().min(0).meta({ description: 'How many events.' }),
    }),
  })
  .meta({
    id: 'SandboxReset',
    description: 'How much test data was deleted.',
    example: { deleted: { subjects: 5, events: 71 } },
  });
