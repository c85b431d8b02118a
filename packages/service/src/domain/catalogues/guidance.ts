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

export const note =
  'Suggestions for reporting what happens at work as outcome events. Reading them writes nothing, scores nothing and verifies nothing. An outcome is verified only if a party other than the subject has confirmed it.';

/** How to fill each field of an event, `field` being its name in `POST /events`. */
export const fieldGuide: readonly { field: string; guidance: string }[] = [
  {
    field: 'userId',
    guidance: 'Your own id for the worker. Do not use a name, address or document number.',
  },
  {
    field: 'eventType',
    guidance:
      'Use the type of the template. Agreed work that was done is a positive type. Delivered work that is contested is TRANSACTION_DISPUTED, which opens a dispute. An obligation that the worker did not meet is CONTRACT_BREACHED. An ending that both sides agreed to, or for which nobody is responsible, is a cancelled type and counts neither way.',
  },
  {
    field: 'stakeLevel',
    guidance:
      'How much depended on the outcome for the other side: HIGH if safety, rights or large sums depended on it, LOW for small routine work, MEDIUM otherwise. Decide it by the kind of work, before the result is known.',
  },
  {
    field: 'isVerified',
    guidance:
      'True only if a witness other than the worker confirmed this very outcome. Default: false. The template names a suitable witness; naming one is not a confirmation.',
  },
  {
    field: 'dueDate',
    guidance:
      'When the outcome was due, as agreed before the work, with every extension that the other side granted or caused. Leave it unset if nothing was agreed.',
  },
  {
    field: 'completedAt',
    guidance:
      'When the outcome really happened, not when it was recorded or paid. Late work is still completed work: give the true time and choose the positive type. If nothing was delivered, leave completedAt unset.',
  },
  {
    field: 'transactionValue',
    guidance: 'Optional: the value of the work in your own unit. It never affects a score.',
  },
  {
    field: 'metadata',
    guidance:
      'Your own reference, such as an order number. Do not include names, health details, opinions about the person or anything that you would not show the worker.',
  },
  {
    field: 'idempotencyKey',
    guidance:
      'One key for each outcome, for example your order number with the outcome, so that a repeat is not counted twice.',
  },
];

/** Causes that lie outside the worker and must not be recorded against one (RULES E14). */
export const notTheWorkersOutcome: readonly { key: string; cause: string; instead: string }[] = [
  {
    key: 'customer_absent',
    cause: 'The customer did not attend, did not open the door or gave a wrong address.',
    instead:
      'Record nothing, or a cancelled type. If the worker was ready and is paid for it, record a completed type.',
  },
  {
    key: 'cancelled_by_business',
    cause: 'The business cancelled or shortened the shift, the order or the event.',
    instead: 'Record a cancelled type, or the part that was worked as completed.',
  },
  {
    key: 'weather_or_closure',
    cause: 'Weather, a road closure, a power cut or another event that neither side controls.',
    instead: 'Move the dueDate to the new agreed date, or record a cancelled type.',
  },
  {
    key: 'leave_with_notice',
    cause: 'Leave, sickness or family duty that was reported as the agreement asks.',
    instead: 'Record nothing. An announced absence is not a missed obligation.',
  },
  {
    key: 'missing_input',
    cause: 'Papers, parts, access, approvals or payments owed by the other side came late or not at all.',
    instead: 'Move the dueDate by the delay, or record a cancelled type if the work became impossible.',
  },
  {
    key: 'failed_equipment_of_others',
    cause: 'Equipment, software or material supplied by someone else failed.',
    instead: 'Do not record it against anyone’s work. Report the work with its true dates once it is done.',
  },
  {
    key: 'unsafe_or_unlawful_work',
    cause: 'The worker declined or stopped work that was unsafe, unlawful or outside the agreement.',
    instead: 'Record nothing, or a cancelled type. Declining such work is the worker’s right.',
  },
  {
    key: 'opinion_of_the_person',
    cause: 'An opinion about the person: friendliness, looks, accent, or stars given without a named defect.',
    instead: 'Record nothing. An outcome is something that did or did not happen.',
  },
  {
    key: 'protected_characteristic',
    cause:
      'Anything that indicates origin, religion, sex, age, disability, pregnancy, union membership or the like.',
    instead: 'Record nothing about it in any field, including metadata.',
  },
];

export const disclosures: readonly string[] = [
  'The templates are guidance. The reporter of an event must make sure that it is true and fair to the worker.',
  'Suggested stake and witness type carry no weight of their own: the formula reads only the event that is recorded.',
  'An outcome without a confirmation by another party is recorded as unverified and builds little.',
  'The record is evidence, never a decision. The people who decide remain responsible for their decisions.',
];
