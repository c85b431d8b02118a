/** What a benchmark is not. The same words in the catalogue and beside every answer. */
export const disclosures: readonly string[] = [
  'A comparison of scores. It decides nothing, recommends nothing and moves no score.',
  'Cohorts are groups of records, never of single ones: below the minimum size nothing is told but that it is not reached.',
  'Figures of the live cohorts are made once a day from every record of the installation. A cohort keeps its earlier figures ' +
    'while too few of its members have changed: `asOf` says when they were made.',
  'Sizes are rounded down, percentiles and statistics to whole numbers.',
];
