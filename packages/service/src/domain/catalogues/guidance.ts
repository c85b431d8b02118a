/**
 * Who besides the worker can know of an outcome. Descriptive only: no type weighs more than another
 * (RULES V13).
 */
export type WitnessType =
  | 'independent_authority'
  | 'customer_or_client'
  | 'supervisor_or_reviewer'
  | 'payment_or_marketplace';

export const witnessTypes: readonly { value: WitnessType; label: string; description: string }[] = [
  {
    value: 'independent_authority',
    label: 'Independent authority',
    description:
      'A public body, court, inspector, auditor or examiner that belongs to neither side and reached its own finding.',
  },
  {
    value: 'customer_or_client',
    label: 'Customer or client',
    description: 'The party for whom the work was done and who saw whether it was done.',
  },
  {
    value: 'supervisor_or_reviewer',
    label: 'Supervisor or reviewer',
    description: 'A person who directed or examined the work and did not do it.',
  },
  {
    value: 'payment_or_marketplace',
    label: 'Payment or marketplace',
    description:
      'A payment service or marketplace whose own record exists only because the other side accepted.',
  },
];
