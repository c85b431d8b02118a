/**
 * Ends a run with the names of the tests that needed a second try, and one plain line, `N passed, N failed, N skipped`, for
 * readers that know no runner.
 */
export default class PlainSummaryReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    const triedAgain = [];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        count[test.result().state] += 1;
        if (test.diagnostic()?.flaky) triedAgain.push(`${module.relativeModuleId} > ${test.fullName}`);
      }
      // A file that could not even be loaded holds no tests, and must not look like a green one.
      if (module.state() === 'failed' && module.errors().length > 0) count.failed += module.errors().length;
    }
    const lines = [
      ...triedAgain.map((name) => `passed at the second try: ${name}`),
      `${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}
