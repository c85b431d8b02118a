/** Records one difference. */
export type Report = (what: string) => void;
