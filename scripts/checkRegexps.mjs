// Fails if a regular expression in the sources can take more than linear time, or is built from parts that this script cannot read.
// Tests are left out: they match their own texts.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
// The pure JavaScript build. The main entry prefers a Java or native program.
import recheck from 'recheck/lib/browser.js';
import ts from 'typescript';

const MIN_FOUND = 200;
const named = process.argv.slice(2);
const listed = () => execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' });
const files = named.length > 0 ? named : listed().split('\n').filter(isSource);
const found = files.flatMap(regexpsOf);
const verdicts = new Map();
const errors = found.flatMap(({ where, source, flags }) => {
  if (source === null) return [`${where}: a pattern that is not constant; escape the parts that vary`];
  const { status, complexity, error, attack, checker } = verdictOn(source, flags);
  if (status === 'safe') return [];
  if (status === 'vulnerable' && checker === 'fuzz' && !isSlow(source, flags, attack.string)) return [];
  const reason = status === 'vulnerable' ? `${complexity.summary}, as for ${attack.pattern}` : error.kind;
  return [`${where}: /${source}/${flags} is not linear: ${reason}`];
});
for (const error of errors) console.error(error);
console.log(
  `regular expressions: ${found.length} in ${files.length} files, ${errors.length} not linear or unread`,
);
if (named.length === 0 && found.length < MIN_FOUND)
  console.error(`fewer than ${MIN_FOUND} were found: the script does not see the sources`);
process.exitCode = errors.length === 0 && (named.length > 0 || found.length >= MIN_FOUND) ? 0 : 1;

/** This script builds the patterns that it tries. */
function isSource(path) {
  return (
    path !== 'scripts/checkRegexps.mjs' && /\.(?:[cm]?[jt]s|tsx)$/.test(path) && !/(?:^|\/)test\//.test(path)
  );
}

/** Patterns with lookarounds are only tried with texts, and counted in a machine that is not V8. */
function isSlow(source, flags, text) {
  const before = process.cpuUsage();
  text.replace(new RegExp(source, flags), '');
  return process.cpuUsage(before).user > 100_000;
}

function verdictOn(source, flags) {
  const key = `${flags}/${source}`;
  if (!verdicts.has(key)) verdicts.set(key, recheck.checkSync(source, flags, { timeout: 60_000 }));
  return verdicts.get(key);
}

function regexpsOf(path) {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const constants = new Map();
  const regexps = [];
  visit(file);
  return regexps;

  function visit(node) {
    if (ts.isVariableDeclaration(node) && node.parent.flags & ts.NodeFlags.Const && node.initializer)
      constants.set(node.name.getText(), node.initializer);
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const where = `${path}:${line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) regexps.push({ where, ...partsOf(node) });
    else if (isRegExpCall(node)) {
      const [pattern, flags] = node.arguments;
      regexps.push({ where, source: textOf(pattern), flags: (flags && textOf(flags)) ?? '' });
    }
    ts.forEachChild(node, visit);
  }

  /** The text of an expression; null if it is not constant. */
  function textOf(node) {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isIdentifier(node)) return constants.has(node.text) ? textOf(constants.get(node.text)) : null;
    if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) return textOf(node.expression);
    if (ts.isTemplateExpression(node)) return joined(node.head.text, node.templateSpans);
    return null;
  }

  function joined(head, spans) {
    const parts = spans.map(({ expression, literal }) => [textOf(expression), literal.text]);
    return parts.some(([text]) => text === null) ? null : head + parts.flat().join('');
  }
}

function isRegExpCall(node) {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
}

function partsOf(node) {
  const end = node.text.lastIndexOf('/');
  return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
}
