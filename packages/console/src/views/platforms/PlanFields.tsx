import { valuesOf, wordsFor } from '../../kit/enumTexts.ts';
import { Select } from '../../kit/form.tsx';
import { texts } from './texts.ts';

interface PlanFieldsProps {
  plan: string;
  trustTier: string;
  tierHint?: string;
}

/** What a platform may call, and how much its reports count. */
export function PlanFields({ plan, trustTier, tierHint }: PlanFieldsProps) {
  return (
    <>
      <Select
        name="plan"
        label={texts.plan}
        of={valuesOf('planTier')}
        textOf={(each) => wordsFor('planTier', each)}
        chosen={plan}
      />
      <Select
        name="trustTier"
        label={texts.tier}
        of={valuesOf('platformTier')}
        textOf={(each) => wordsFor('platformTier', each)}
        chosen={trustTier}
        hint={tierHint}
      />
    </>
  );
}
