import type { IndustryTemplates } from './template.js';

export const homeCarePersonalCare: IndustryTemplates = {
  industry: 'home_care_personal_care',
  label: 'Home care and personal care',
  description:
    'Care workers who support people at home: visits, covered weeks, and the notes that others rely on.',
  templates: [
    {
      key: 'homecare_visit_completed',
      label: 'Care visit made in full',
      description: 'The visit took place and the tasks the care plan lists for it were done.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The person cared for, or the relative who speaks for that person',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether the visit took place and the planned tasks were done. Do not describe the care.',
      timingBasis: 'dueDate is the end of the visit window; completedAt is the recorded end of the visit.',
    },
    {
      key: 'homecare_rostered_week_covered',
      label: 'Rostered week covered',
      description:
        'Every visit on this worker’s roster for the week was made, or swapped with the office’s consent.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The care coordinator who compares roster and visit log',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask the coordinator whether this worker’s visit log for the week is complete.',
      timingBasis: 'dueDate is the end of the rostered week; completedAt is the end of the last visit.',
    },
    {
      key: 'homecare_visit_notes_audited',
      label: 'Visit and medication notes passed review',
      description:
        'This worker’s notes for a period were checked. They were complete and written on the day.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The care regulator or an auditor it accepts',
      witnessType: 'independent_authority',
      confirmationHint:
        'Ask the auditor to confirm the period reviewed and the result, without any client’s name.',
      timingBasis: 'dueDate is the end of the review period; completedAt is the date of the result.',
    },
    {
      key: 'homecare_visit_missed',
      label: 'Care visit missed without notice',
      description:
        'A visit this worker had accepted was not made, the office was not told, and the person was left waiting.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The person who waited, or the relative who speaks for that person',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether someone was at home and whether the visit had been cancelled. Check the roster for a late change.',
      timingBasis: 'dueDate is the end of the visit window; no visit was made, so leave completedAt unset.',
    },
  ],
};

export const childcare: IndustryTemplates = {
  industry: 'childcare',
  label: 'Childcare',
  description:
    'Nannies, childminders, nursery staff and sitters: sessions, placements and inspected settings.',
  templates: [
    {
      key: 'childcare_session_completed',
      label: 'Care session held as booked',
      description:
        'The children were looked after for the whole booked time and handed back to an authorised adult.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The parent or guardian who booked',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether the session ran for the booked hours. Do not name a child in the request.',
      timingBasis: 'dueDate is the booked end of the session; completedAt is the time of hand-over.',
    },
    {
      key: 'childcare_placement_term_kept',
      label: 'Placement kept for the agreed term',
      description: 'A regular placement lasted for the term that the family and the carer had agreed.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The family that signed the agreement',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask the family whether the placement ran to its agreed end.',
      timingBasis: 'dueDate is the last day of the agreed term; completedAt is the last day worked.',
    },
    {
      key: 'childcare_inspection_standard_met',
      label: 'Inspection standard met',
      description:
        'The care this person provides or leads was inspected by the childcare authority and met the required standard.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The childcare inspectorate',
      witnessType: 'independent_authority',
      confirmationHint: 'Give the inspectorate its report number and ask it to confirm the outcome.',
      timingBasis:
        'dueDate is when the inspection result was required; completedAt is the date of the report.',
    },
    {
      key: 'childcare_session_not_covered',
      label: 'Session not covered, no notice given',
      description: 'The carer did not come to a confirmed session and did not tell the family beforehand.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The parent or guardian who booked',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether the booking was still valid that day and whether the carer had sent a message.',
      timingBasis:
        'dueDate is the booked start; the children were not looked after, so leave completedAt unset.',
    },
  ],
};

export const beautyWellness: IndustryTemplates = {
  industry: 'beauty_wellness',
  label: 'Beauty and wellness',
  description: 'Hairdressers, beauticians, massage therapists and trainers who work by appointment.',
  templates: [
    {
      key: 'beauty_appointment_completed',
      label: 'Appointment carried out',
      description: 'The booked service was given in full.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The booking platform, on the client’s own release of payment',
      witnessType: 'payment_or_marketplace',
      confirmationHint: 'Use the release of payment. A cancellation fee confirms nothing.',
      timingBasis: 'dueDate is the booked end of the appointment; completedAt is when it ended.',
    },
    {
      key: 'beauty_course_of_sessions_completed',
      label: 'Course of sessions completed',
      description: 'All sessions of a course paid for in advance were given.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The client who bought the course',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask the client whether every session of the course was given.',
      timingBasis: 'dueDate is the last day on which the course was valid; completedAt is the final session.',
    },
    {
      key: 'beauty_hygiene_inspection_passed',
      label: 'Hygiene inspection passed',
      description: 'The tools and the treatment place in this person’s care were inspected and passed.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The local health inspector',
      witnessType: 'independent_authority',
      confirmationHint: 'Ask the inspecting office to confirm the date and the pass.',
      timingBasis: 'dueDate is the deadline for the inspection; completedAt is the date on the certificate.',
    },
    {
      key: 'beauty_appointment_not_kept',
      label: 'Appointment not kept by the provider',
      description: 'The client came as booked, but the provider was absent and had sent no message.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'LOW',
      witness: 'The client who came to the appointment',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask the client whether the appointment had been moved or cancelled by either side.',
      timingBasis: 'dueDate is the booked start; no service was given, so leave completedAt unset.',
    },
  ],
};
