/** Ends a run with the line `N passed, N failed, N skipped`, for tools that do not parse vitest's output. */
export default class PlainSummaryReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      // A file that fails to load has no tests. It must count as a failure.
      if (module.state() === 'failed' && module.errors().length > 0) count.failed += module.errors().length;
    }
    const { passed, failed, skipped, pending } = count;
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped + pending} skipped\n`);
  }
}
