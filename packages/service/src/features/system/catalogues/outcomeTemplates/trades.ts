import type { IndustryTemplates } from './template.js';

export const tradesHomeServices: IndustryTemplates = {
  industry: 'trades_home_services',
  label: 'Trades and home services',
  description:
    'Handypersons, painters, carpenters, tilers and appliance repairers who work in people’s homes.',
  templates: [
    {
      key: 'home_job_finished_as_quoted',
      label: 'Job finished as quoted',
      description: 'The work in the accepted quote was done and the customer accepted it.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The householder who accepted the quote',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether everything listed in the quote has been done.',
      timingBasis:
        'dueDate is the finishing date in the quote; completedAt is the day the customer accepted the work.',
    },
    {
      key: 'home_urgent_callout_made_safe',
      label: 'Urgent call-out made safe',
      description: 'An urgent fault was attended and made safe, for example a leak or a broken lock.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The occupant who called',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether the tradesperson came and the danger or damage was stopped on that visit.',
      timingBasis:
        'dueDate is the end of the promised response time; completedAt is when the fault was made safe.',
    },
    {
      key: 'home_guarantee_work_done',
      label: 'Defect put right under guarantee',
      description: 'A defect reported after the job was put right without charge, as the guarantee says.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The householder who reported the defect',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the reported defect is gone and nothing was charged for it.',
      timingBasis:
        'dueDate is the end of the repair period in the guarantee; completedAt is the day it was put right.',
    },
    {
      key: 'home_visit_not_made',
      label: 'Booked visit not made',
      description:
        'The tradesperson did not come to a confirmed visit, sent no message and offered no other time.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'MEDIUM',
      witness: 'The householder who waited',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether somebody was there to open the door and whether the visit had been rearranged.',
      timingBasis: 'dueDate is the end of the visit window; nobody came, so leave completedAt unset.',
    },
    {
      key: 'home_finished_work_contested',
      label: 'Finished work contested',
      description:
        'The customer reports a named part of the quoted work as missing or faulty, and it has not been settled.',
      eventType: 'TRANSACTION_DISPUTED',
      positive: false,
      suggestedStake: 'MEDIUM',
      witness: 'The householder who made the complaint',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask which line of the quote is affected; taste and later wishes are not defects.',
      timingBasis:
        'dueDate is the finishing date in the quote; completedAt is the day the work was handed over.',
    },
  ],
};

export const skilledTradesLicensed: IndustryTemplates = {
  industry: 'skilled_trades_licensed',
  label: 'Licensed trades',
  description:
    'Electricians, gas fitters, plumbers and refrigeration engineers whose work is licensed and inspected.',
  templates: [
    {
      key: 'licensed_inspection_passed',
      label: 'Official inspection passed',
      description: 'Work done under this licence was inspected by the competent authority and approved.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The building, gas or electrical inspector',
      witnessType: 'independent_authority',
      confirmationHint: 'Give the permit number to the inspecting office and ask it to confirm the approval.',
      timingBasis: 'dueDate is the inspection deadline on the permit; completedAt is the date of approval.',
    },
    {
      key: 'licensed_installation_certified',
      label: 'Installation completed and certified',
      description:
        'The installation was finished, tested and handed over with its certificate of compliance.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The customer who holds the certificate',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the system runs and the certificate has been handed over.',
      timingBasis:
        'dueDate is the completion date in the contract; completedAt is the date the certificate was issued.',
    },
    {
      key: 'licensed_service_visit_completed',
      label: 'Safety service carried out',
      description: 'A periodic service of a boiler, a switchboard or a cooling system was done and logged.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The owner or manager of the building',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the service visit took place and the service log was filled in.',
      timingBasis:
        'dueDate is the day the service interval ran out; completedAt is the date in the service log.',
    },
    {
      key: 'licensed_correction_order_lapsed',
      label: 'Correction order left undone',
      description:
        'An inspector ordered this person to correct a fault in their own work, and the period ended without a correction.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The inspecting office that issued the order',
      witnessType: 'independent_authority',
      confirmationHint:
        'Ask the office whether the order concerned this person’s work and access to the site was possible.',
      timingBasis:
        'dueDate is the date set in the order; no correction was made, so leave completedAt unset.',
    },
  ],
};

export const automotiveRepair: IndustryTemplates = {
  industry: 'automotive_repair',
  label: 'Vehicle repair',
  description: 'Mechanics, body shops, tyre fitters and mobile technicians.',
  templates: [
    {
      key: 'auto_repair_handed_back',
      label: 'Repair done and vehicle handed back',
      description:
        'The repair on the job card was carried out within the approved estimate and the vehicle returned.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The owner of the vehicle',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether the vehicle came back with the job card’s items done at the approved price.',
      timingBasis:
        'dueDate is the hand-back time promised at drop-off; completedAt is when the keys were returned.',
    },
    {
      key: 'auto_roadworthiness_passed_after_repair',
      label: 'Roadworthiness test passed after repair',
      description: 'A vehicle repaired for a failed test item passed its re-test on that item.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The authorised test station',
      witnessType: 'independent_authority',
      confirmationHint: 'Use the test certificate number; the station or its register confirms the pass.',
      timingBasis: 'dueDate is the last day for the re-test; completedAt is the date on the certificate.',
    },
    {
      key: 'auto_fleet_service_interval_met',
      label: 'Fleet service round completed',
      description:
        'All vehicles a fleet had booked for this service round were serviced and released for use.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The fleet manager',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask the fleet manager to compare the list of the round with the vehicles released.',
      timingBasis:
        'dueDate is the end of the service round; completedAt is when the last vehicle was released.',
    },
    {
      key: 'auto_same_fault_returned',
      label: 'Same fault back within warranty',
      description:
        'The repaired fault returned within the repair warranty, the cause lies in the repair, and it is not yet settled.',
      eventType: 'TRANSACTION_DISPUTED',
      positive: false,
      suggestedStake: 'MEDIUM',
      witness: 'The owner of the vehicle, with the diagnosis of a second workshop where there is one',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask for the fault description. Do not report a new fault or a part of the repair that was declined.',
      timingBasis:
        'dueDate is the hand-back time that was promised; completedAt is the day the vehicle was handed back.',
    },
    {
      key: 'auto_accepted_job_not_started',
      label: 'Accepted job never done',
      description:
        'The workshop took a vehicle in, had the parts and the approval, and returned it without doing the work.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'MEDIUM',
      witness: 'The owner who collected the vehicle',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether the estimate was approved and the parts were there; a late supplier is no breach.',
      timingBasis:
        'dueDate is the promised hand-back time; the repair was not done, so leave completedAt unset.',
    },
  ],
};
