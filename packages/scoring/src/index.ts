export * from './components.js';
export * from './model.js';
export * from './score.js';
export * from './tally.js';
