/** The condition on the score that is tried out. It is in the address. */
export interface Tried {
  threshold: number;
  direction: 'below' | 'above';
}
