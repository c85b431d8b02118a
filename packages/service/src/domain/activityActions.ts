import activityTexts from '../../data/activityActions.json' with { type: 'json' };

/** All actions of the audit trail with their meaning. EVENT_CREATED is read from the ledger, and recorded for the name of a person. */
export { activityTexts };
export type TrailAction = keyof typeof activityTexts;
export const trailActions = Object.keys(activityTexts) as TrailAction[];

export type ActivityAction = Exclude<TrailAction, 'EVENT_CREATED'>;
