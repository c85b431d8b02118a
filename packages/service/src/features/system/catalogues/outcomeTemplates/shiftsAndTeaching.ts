import type { IndustryTemplates } from './template.js';

export const staffingShiftWork: IndustryTemplates = {
  industry: 'staffing_shift_work',
  label: 'Staffing and shift work',
  description: 'People placed by an agency or a shift platform, for a shift or for several weeks.',
  templates: [
    {
      key: 'shift_worked_in_full',
      label: 'Shift worked in full',
      description: 'An accepted shift was worked from start to end.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The supervisor at the place of work',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask the supervisor to approve the hours; approval is the confirmation.',
      timingBasis:
        'dueDate is the planned end of the shift; completedAt is the actual end, or the planned one if the business ended the shift early.',
    },
    {
      key: 'shift_assignment_served_out',
      label: 'Assignment worked to its end',
      description:
        'An assignment over several weeks was worked until the date agreed with the client business.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The client business',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask the business whether the assignment ran to the agreed end.',
      timingBasis: 'dueDate is the agreed last day; completedAt is the last day worked.',
    },
    {
      key: 'shift_timesheet_settled',
      label: 'Timesheet approved and paid',
      description: 'The hours of a pay period were approved by the client business and paid out unchanged.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The payroll or shift platform that paid the hours',
      witnessType: 'payment_or_marketplace',
      confirmationHint: 'Use the payment record. Report either the shifts or the period, not both.',
      timingBasis: 'dueDate is the end of the pay period; completedAt is the end of the last shift in it.',
    },
    {
      key: 'shift_no_show',
      label: 'No-show on an accepted shift',
      description:
        'The worker had accepted the shift, did not come and did not cancel within the notice agreed.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'MEDIUM',
      witness: 'The supervisor at the place of work',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint:
        'Ask whether the shift was still open, the address and time were right, and whether the worker called in sick.',
      timingBasis: 'dueDate is the start of the shift; it was not worked, so leave completedAt unset.',
    },
    {
      key: 'shift_left_before_end',
      label: 'Shift left before its end',
      description:
        'The worker left well before the end, without consent and without a reason that excuses it.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'LOW',
      witness: 'The supervisor at the place of work',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask whether the worker was sent home, fell ill or left because the work was unsafe.',
      timingBasis:
        'dueDate is the planned end of the shift; it was not worked to that end, so leave completedAt unset.',
    },
  ],
};

export const educationTutoring: IndustryTemplates = {
  industry: 'education_tutoring',
  label: 'Education and tutoring',
  description: 'Tutors, teachers, trainers and examiners.',
  templates: [
    {
      key: 'tutoring_lesson_given',
      label: 'Lesson given',
      description: 'A booked lesson was held for its full length. The learner’s marks do not matter.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The learner, or a parent of a learner who is a minor',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether the lesson took place for the time booked.',
      timingBasis: 'dueDate is the booked end of the lesson; completedAt is when it ended.',
    },
    {
      key: 'tutoring_programme_delivered',
      label: 'Programme delivered to its last unit',
      description: 'All units of a course or training programme were taught and its materials handed out.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The school, company or family that commissioned the programme',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask whether every unit in the programme was taught.',
      timingBasis: 'dueDate is the end date of the programme; completedAt is the last unit.',
    },
    {
      key: 'teaching_marking_moderated',
      label: 'Marking upheld by moderation',
      description:
        'Someone else marked a sample of this examiner’s papers again, and the marking was upheld.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The examination board’s moderator',
      witnessType: 'independent_authority',
      confirmationHint: 'Ask the board to confirm the moderation result for this marking round.',
      timingBasis: 'dueDate is the return date for marked papers; completedAt is when they were returned.',
    },
    {
      key: 'tutoring_lesson_missed_by_tutor',
      label: 'Lesson missed by the tutor',
      description: 'The learner was there, but the tutor was not and had sent no message before the lesson.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'LOW',
      witness: 'The learner, or a parent of a learner who is a minor',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether the meeting link or room was right and whether the lesson had been moved.',
      timingBasis: 'dueDate is the booked start; no lesson was given, so leave completedAt unset.',
    },
  ],
};
