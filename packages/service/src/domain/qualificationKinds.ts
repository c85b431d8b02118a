/**
 * What a person can have beside outcomes. Each is reported under an event type of its own (RULES
 * E11), yet is no event.
 */
export const qualificationKinds = ['employment', 'education', 'certification', 'skill'] as const;
export type QualificationKind = (typeof qualificationKinds)[number];

export const kindOfEventType = {
  EDUCATION_VERIFIED: 'education',
  SKILL_VERIFIED: 'skill',
  CERTIFICATION_VERIFIED: 'certification',
  EMPLOYMENT_VERIFIED: 'employment',
} as const satisfies Record<string, QualificationKind>;
export type QualificationEventType = keyof typeof kindOfEventType;
export const qualificationEventTypes = Object.keys(kindOfEventType) as QualificationEventType[];

export const eventTypeOfKind = Object.fromEntries(
  qualificationEventTypes.map((type) => [kindOfEventType[type], type]),
) as Readonly<Record<QualificationKind, QualificationEventType>>;
