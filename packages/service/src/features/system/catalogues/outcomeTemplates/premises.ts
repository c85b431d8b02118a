import type { IndustryTemplates } from './template.js';

export const cleaningFacilities: IndustryTemplates = {
  industry: 'cleaning_facilities',
  label: 'Cleaning and facilities',
  description: 'Cleaners, caretakers and facility teams in homes, offices and public buildings.',
  templates: [
    {
      key: 'cleaning_visit_completed',
      label: 'Cleaning visit completed',
      description: 'The rooms and tasks on the visit’s list were done.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The customer or the contact on site',
      witnessType: 'customer_or_client',
      confirmationHint: 'Send the list of tasks and ask whether all of them were done.',
      timingBasis: 'dueDate is the end of the cleaning window; completedAt is the check-out time.',
    },
    {
      key: 'cleaning_site_check_passed',
      label: 'Site check passed',
      description: 'A scored walk-through of the areas this person cleans reached the agreed level.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The facility manager who walked the site',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask the facility manager to confirm the check sheet and its date.',
      timingBasis: 'dueDate is the day the check was due; completedAt is when the sheet was signed.',
    },
    {
      key: 'cleaning_month_schedule_kept',
      label: 'Month’s schedule kept',
      description: 'Every visit the contract provides for in the month was carried out.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The tenant or building manager who pays the invoice',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the month’s invoice matches the visits that were made.',
      timingBasis: 'dueDate is the last day of the month; completedAt is the last visit of it.',
    },
    {
      key: 'cleaning_visit_not_made',
      label: 'Cleaning visit not made',
      description:
        'A scheduled visit was skipped without notice, although the cleaner had access to the site.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'MEDIUM',
      witness: 'The contact on site',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether keys, alarm codes and access were in order that day.',
      timingBasis:
        'dueDate is the end of the cleaning window; nothing was cleaned, so leave completedAt unset.',
    },
  ],
};

export const landscapingGrounds: IndustryTemplates = {
  industry: 'landscaping_grounds',
  label: 'Landscaping and grounds',
  description: 'Gardeners, landscapers, arborists and grounds keepers.',
  templates: [
    {
      key: 'grounds_visit_completed',
      label: 'Maintenance visit completed',
      description: 'Mowing, pruning, weeding or clearing was done as planned for the visit.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The property owner or site manager',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether the visit’s tasks were done; a dated photograph helps the witness to judge.',
      timingBasis:
        'dueDate is the last day of the visit’s week, or later if weather stopped the work; completedAt is the day of the visit.',
    },
    {
      key: 'grounds_scheme_handed_over',
      label: 'Landscape scheme handed over',
      description: 'A planting or hard-landscape scheme was built to the drawing and accepted.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The client, or the designer who certifies for the client',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the scheme was accepted at the final walk-round.',
      timingBasis:
        'dueDate is the agreed completion date with extensions; completedAt is the date of acceptance.',
    },
    {
      key: 'grounds_tree_work_approved',
      label: 'Tree work approved',
      description:
        'Pruning or felling under a permit was inspected afterwards and found to follow the permit.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The tree officer of the municipality',
      witnessType: 'independent_authority',
      confirmationHint: 'Name the permit and ask the tree officer whether the work followed it.',
      timingBasis: 'dueDate is the day the permit lapsed; completedAt is the day the work was done.',
    },
    {
      key: 'grounds_contract_deserted',
      label: 'Seasonal maintenance abandoned',
      description:
        'Visits under a seasonal contract stopped without notice, although the client did its part.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'MEDIUM',
      witness: 'The property owner or site manager',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether invoices were paid, access was open and no notice of ending was given.',
      timingBasis:
        'dueDate is the end of the first visit that was skipped; the work stopped there, so leave completedAt unset.',
    },
  ],
};

export const securityServices: IndustryTemplates = {
  industry: 'security_services',
  label: 'Security services',
  description: 'Guards, patrol officers, door supervisors and control-room operators.',
  templates: [
    {
      key: 'security_post_held',
      label: 'Post held until relieved',
      description: 'The assigned post was manned for the whole duty and handed over to the relief.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The client’s site manager',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the post was manned for the contracted hours.',
      timingBasis: 'dueDate is the planned end of the duty; completedAt is when the relief took over.',
    },
    {
      key: 'security_patrol_round_completed',
      label: 'Patrol round completed',
      description: 'All checkpoints of the round were visited and logged.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The control room that holds the checkpoint log',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask the control room whether the log shows every checkpoint of the round.',
      timingBasis:
        'dueDate is the latest time for the last checkpoint; completedAt is when that one was logged.',
    },
    {
      key: 'security_incident_report_accepted',
      label: 'Incident report accepted',
      description:
        'An incident was reported in writing and the report was accepted as complete by those who use it.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The security manager who reviewed the report',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask whether the report was accepted without later additions.',
      timingBasis:
        'dueDate is the reporting deadline after an incident; completedAt is when the report was filed.',
    },
    {
      key: 'security_post_left_unmanned',
      label: 'Post left unmanned',
      description: 'The guard did not take up the post, or left it without relief and without reporting.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The client’s site manager',
      witnessType: 'customer_or_client',
      confirmationHint: 'Before confirming, rule out an emergency elsewhere on site and a late relief.',
      timingBasis:
        'dueDate is the planned end of the duty; the duty was not carried out, so leave completedAt unset.',
    },
  ],
};
