/** Who besides the worker can know of an outcome. Descriptive only: no type weighs more than another (RULES V13). */
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
  'Suggestions for turning what happens at work into outcome events. Reading them writes nothing, scores nothing and verifies nothing: an outcome is verified only when a party other than the subject confirmed it.';

/** How to fill each field of an event, `field` being its name in `POST /events`. */
export const fieldGuide: readonly { field: string; guidance: string }[] = [
  {
    field: 'userId',
    guidance: 'Your own id of the worker. Choose one that is no name, address or document number.',
  },
  {
    field: 'eventType',
    guidance:
      'Take the type of the template. Work that was agreed and done is a positive type; work that was delivered and is contested is TRANSACTION_DISPUTED, which opens a dispute; an obligation the worker did not meet is CONTRACT_BREACHED. An ending that both sides agreed to, or that nobody is answerable for, is a cancelled type and counts neither way.',
  },
  {
    field: 'stakeLevel',
    guidance:
      'How much depended on the outcome for the other side: HIGH where safety, rights or large sums hung on it, LOW for small routine work, MEDIUM otherwise. Decide it by kind of work and before the result is known.',
  },
  {
    field: 'isVerified',
    guidance:
      'True only when a witness other than the worker confirmed this very outcome. Left out, it is false. The template names a fitting witness; naming one is not yet a confirmation.',
  },
  {
    field: 'dueDate',
    guidance:
      'When the outcome was due, as agreed before the work and with every extension the other side granted or caused. Leave it unset where nothing was agreed.',
  },
  {
    field: 'completedAt',
    guidance:
      'When the outcome really happened, not when it was typed in or paid. Late work is still completed work: give the true time and choose the positive type. A negative outcome where nothing was delivered leaves completedAt unset.',
  },
  {
    field: 'transactionValue',
    guidance: 'The value of the work in your own unit, if you like. It never moves a score.',
  },
  {
    field: 'metadata',
    guidance:
      'Your own reference, such as an order number. Keep out names, health details, opinions of the person and anything you would not show the worker.',
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
      'Record nothing, or a cancelled type; where the worker was ready and is paid for it, a completed one.',
  },
  {
    key: 'cancelled_by_business',
    cause: 'The business cancelled or shortened the shift, the order or the event.',
    instead: 'Record a cancelled type, or the part that was worked as completed.',
  },
  {
    key: 'weather_or_closure',
    cause: 'Weather, a road closure, a power cut or another event nobody on either side controls.',
    instead: 'Move the dueDate to the new agreed date, or record a cancelled type.',
  },
  {
    key: 'leave_with_notice',
    cause: 'Leave, sickness or family duty that was reported as the agreement asks.',
    instead: 'Record nothing. An absence that was announced is no missed obligation.',
  },
  {
    key: 'missing_input',
    cause: 'Papers, parts, access, approvals or payments owed by the other side came late or not at all.',
    instead: 'Move the dueDate by the delay, or record a cancelled type where the work became impossible.',
  },
  {
    key: 'failed_equipment_of_others',
    cause: 'Equipment, software or material supplied by somebody else failed.',
    instead: 'Record it against nobody’s work; report the finished work with its true dates once it is done.',
  },
  {
    key: 'unsafe_or_unlawful_work',
    cause: 'The worker declined or stopped work that was unsafe, unlawful or outside the agreement.',
    instead: 'Record nothing, or a cancelled type. Declining such work is the worker’s right.',
  },
  {
    key: 'opinion_of_the_person',
    cause: 'An opinion of the person: friendliness, looks, accent, or stars given without a named defect.',
    instead: 'Record nothing. An outcome is something that did or did not happen.',
  },
  {
    key: 'protected_characteristic',
    cause:
      'Anything that indicates origin, religion, sex, age, disability, pregnancy, union membership or the like.',
    instead: 'Record nothing, in no field, metadata included.',
  },
];

export const disclosures: readonly string[] = [
  'The templates are guidance. The reporter of an event is responsible that it is true and fair to the worker.',
  'Suggested stake and witness type carry no weight of their own: the formula reads only the event that is recorded.',
  'An outcome without a confirmation by another party is recorded as unverified and builds little.',
  'What is read from the record is evidence, never a decision; decisions about people remain with those who take them.',
];
