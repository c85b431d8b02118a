import { z } from 'zod';
import { type EnvelopeType, envelopeTypes, isEnvelopeType } from '../../../domain/envelopes/catalogue.js';

const typeList = z
  .string()
  .max(1024)
  .transform((text, context): readonly EnvelopeType[] => {
    const names = text.split(',').map((name) => name.trim());
    const unknown = names.filter((name) => !isEnvelopeType(name));
    if (unknown.length > 0) {
      const named = unknown.map((name) => `"${name}"`).join(', ');
      const message = `unknown type: ${named}. Known types: ${envelopeTypes.join(', ')}`;
      context.addIssue({ code: 'custom', message });
    }
    return names.filter(isEnvelopeType);
  });

export const StreamQuery = z.object({
  types: typeList.optional(),
});
