import type { IndustryTemplates } from './template.js';

export const creativeDesign: IndustryTemplates = {
  industry: 'creative_design',
  label: 'Creative and design',
  description: 'Designers, illustrators, writers, photographers, film and sound makers.',
  templates: [
    {
      key: 'creative_final_files_accepted',
      label: 'Final files accepted',
      description:
        'The agreed files were delivered in the agreed formats after the agreed rounds of changes.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The client who commissioned the work',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether the files in the brief were delivered, not whether the client likes them.',
      timingBasis:
        'dueDate is the delivery date with agreed changes; completedAt is when the final files were sent.',
    },
    {
      key: 'creative_marketplace_order_settled',
      label: 'Marketplace order accepted and settled',
      description: 'An order placed through a marketplace was accepted by the buyer and paid out.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The marketplace, on the buyer’s own acceptance',
      witnessType: 'payment_or_marketplace',
      confirmationHint:
        'Use orders that the buyer accepted. An order that closed automatically has no witness.',
      timingBasis:
        'dueDate is the delivery date of the order; completedAt is when the delivery was uploaded.',
    },
    {
      key: 'creative_proof_passed_for_production',
      label: 'Proof passed for production',
      description: 'A print, broadcast or web proof was checked technically and passed without a correction.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The producer, printer or broadcaster who checked the proof',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask the producer whether the file passed the technical check as delivered.',
      timingBasis: 'dueDate is the closing date for copy; completedAt is when the passed file was handed in.',
    },
    {
      key: 'creative_commission_not_delivered',
      label: 'Commission not delivered',
      description: 'A commissioned work with a complete brief and the deposit paid was not delivered at all.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'MEDIUM',
      witness: 'The client who commissioned the work',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether brief, material and deposit had reached the maker in time.',
      timingBasis: 'dueDate is the agreed delivery date; no work was delivered, so leave completedAt unset.',
    },
    {
      key: 'creative_delivered_rights_contested',
      label: 'Rights in delivered work contested',
      description: 'Delivered work contains other people’s material without the licence that was promised.',
      eventType: 'TRANSACTION_DISPUTED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The client to whom the rights holder wrote',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask for the written claim. Do not report material that the client itself supplied.',
      timingBasis:
        'dueDate is the agreed delivery date; completedAt is when the work in question was delivered.',
    },
  ],
};

export const engineering: IndustryTemplates = {
  industry: 'engineering',
  label: 'Engineering',
  description: 'Civil, structural, mechanical and electrical engineers and technical drafters.',
  templates: [
    {
      key: 'engineering_package_issued',
      label: 'Design package issued',
      description:
        'The complete drawings and calculations of a project stage were issued to the people who build from them.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The contractor or client who received the package',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask the receiver whether the drawings match the drawing list.',
      timingBasis: 'dueDate is the issue date in the design programme; completedAt is the transmittal date.',
    },
    {
      key: 'engineering_independent_check_passed',
      label: 'Independent check passed',
      description: 'A checking engineer from outside the design team checked the design and signed it off.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The checking engineer or the approving authority',
      witnessType: 'independent_authority',
      confirmationHint: 'Ask for the check certificate’s number and have the checker confirm it.',
      timingBasis:
        'dueDate is the date for the check certificate; completedAt is when the checked version was submitted.',
    },
    {
      key: 'engineering_commissioning_accepted',
      label: 'Plant commissioned and accepted',
      description: 'A plant or system passed its acceptance test and was taken over by the owner.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The owner’s engineer who signed the acceptance',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the acceptance protocol is signed without open safety points.',
      timingBasis: 'dueDate is the acceptance date in the contract; completedAt is the date of the protocol.',
    },
    {
      key: 'engineering_design_fault_contested',
      label: 'Design fault contested',
      description:
        'An issued design is said to contain a calculation or coordination error, and the claim is not settled.',
      eventType: 'TRANSACTION_DISPUTED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The contractor or client who raised the fault in writing',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask which drawing is meant; wrong survey data from another party is not the designer’s fault.',
      timingBasis:
        'dueDate is the issue date in the programme; completedAt is when the design in question was issued.',
    },
    {
      key: 'engineering_package_not_issued',
      label: 'Design package not issued',
      description: 'The engineer had all inputs for a package, did not issue it and stopped work on it.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The client’s project manager',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether inputs, approvals and fees owed to the engineer had arrived.',
      timingBasis:
        'dueDate is the issue date in the programme; no package was issued, so leave completedAt unset.',
    },
  ],
};

export const softwareEngineering: IndustryTemplates = {
  industry: 'software_engineering',
  label: 'Software engineering',
  description:
    'Developers, testers and operators, employed or freelance, and the software agents that do such work.',
  templates: [
    {
      key: 'software_change_approved_and_merged',
      label: 'Change approved and merged',
      description: 'Someone other than the author reviewed and approved a change, and it was merged.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The reviewer who approved the change',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint:
        'Take the approval from the code host; an author’s approval of their own change does not count.',
      timingBasis:
        'dueDate is the date the issue was planned for, else unset; completedAt is the time of the merge.',
    },
    {
      key: 'software_release_accepted',
      label: 'Release accepted',
      description: 'A release with the agreed scope went live and was accepted by the client.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The product owner on the client’s side',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the acceptance criteria of the release were met.',
      timingBasis: 'dueDate is the release date agreed; completedAt is when the accepted version went live.',
    },
    {
      key: 'software_incident_resolved',
      label: 'Incident resolved',
      description: 'This person handled an incident, restored the service and documented the cause.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The incident lead or the affected customer',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask the incident lead to confirm by incident number that service was restored.',
      timingBasis:
        'dueDate is the restoration time the service level sets; completedAt is when service was restored.',
    },
    {
      key: 'software_milestone_not_delivered',
      label: 'Milestone not delivered',
      description: 'Scope and access were in place, but no working version of the milestone was delivered.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'MEDIUM',
      witness: 'The product owner on the client’s side',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether scope, access and payments were in place; a changed scope needs a new date.',
      timingBasis: 'dueDate is the milestone date agreed; nothing was delivered, so leave completedAt unset.',
    },
    {
      key: 'software_delivered_defect_contested',
      label: 'Delivered work contested',
      description:
        'A delivered feature is said to fail a written acceptance criterion, and the two sides disagree.',
      eventType: 'TRANSACTION_DISPUTED',
      positive: false,
      suggestedStake: 'MEDIUM',
      witness: 'The product owner on the client’s side',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask which written criterion is not met. A wish that was never written down does not count.',
      timingBasis: 'dueDate is the milestone date agreed; completedAt is when the feature was delivered.',
    },
  ],
};
