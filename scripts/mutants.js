/**
 * `npm run mutants`: changes one operator, number, word or call of a central file at a time, in copies of the repository as it is
 * committed, and runs the tests of that file. A mutant that no test notices is printed with its line. `-- --each 20 --only money` says
 * how many, and of which file.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

/** What must not break unseen, and the tests that hold it. */
const FILES = {
  'src/kernel/money.ts': ['unit', 'src/kernel/money.spec.ts'],
  'src/kernel/permissions.ts': ['unit', 'src/kernel/permissions.spec.ts'],
  'src/modules/audit/audit-chain.ts': ['unit', 'src/modules/audit'],
  'src/modules/webhooks/signing/webhook-secret.ts': ['unit', 'src/modules/webhooks'],
  'src/modules/webhooks/signing/message.ts': [
    'api',
    'test/e2e/webhooks/signatures',
    'test/e2e/webhooks/messages',
    'test/e2e/webhooks/large-records',
  ],
  'src/api/limits/rate-limiter.ts': ['unit+api', 'src/api/limits', 'test/e2e/api/limits'],
  'src/store/tenant/tenant-sql.ts': ['api', 'test/laws/sql.test.ts', 'test/e2e/database', 'test/e2e/projects'],
  'src/api/idempotency/idempotency.ts': [
    'api',
    'test/laws/idempotency',
    'test/laws/order-of-checks',
    'test/e2e/api/idempotency-retention',
    'test/e2e/api/round-trips',
  ],
  'src/store/database/unit-of-work.ts': [
    'unit+api',
    'src/store/database/unit-of-work',
    'test/e2e/database',
    'test/e2e/projects',
    'test/laws/effects',
  ],
  'tools/bank-tables/csv/read-table.ts': ['unit', 'src/modules/statements/formats/csv'],
  'tools/personal-data/redactor.ts': ['unit', 'tools/personal-data', 'test/statements/redaction.test.ts'],
};
const SWAPPED = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
};
const TIMEOUT_MS = 300_000;

/** All mutants of a file: what is replaced, from where to where. */
function mutantsOf(file) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, by) => found.push({ from: node.getStart(source), to: node.getEnd(), by });
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const by = SWAPPED[node.operatorToken.getText(source)];
      if (by !== undefined) add(node.operatorToken, by);
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) add(node, node.operand.getText(source));
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
    if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node))
      add(node, `(${node.getText(source)} + ${ts.isBigIntLiteral(node) ? '1n' : '1'})`);
    if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText(source)})`);
    if (ts.isIfStatement(node)) add(node.expression, `!(${node.expression.getText(source)})`);
    if (ts.isExpressionStatement(node) && ts.isCallExpression(ts.skipPartiallyEmittedExpressions(node.expression))) add(node, ';');
    if (ts.isExpressionStatement(node) && ts.isAwaitExpression(node.expression)) add(node, ';');
    node.forEachChild(visit);
  };
  visit(source);
  const lineOf = ({ from }) => source.getLineAndCharacterOfPosition(from).line + 1;
  return found.map((mutant) => ({ ...mutant, file, text, line: lineOf(mutant), was: text.slice(mutant.from, mutant.to).split('\n')[0] }));
}

/** The same ones in each run: every nth of them. */
const some = (all, count) =>
  all.length <= count ? all : Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)]);

function runTests(copy, file) {
  const [projects, ...tests] = FILES[file];
  const chosen = projects.split('+').flatMap((project) => ['--project', project]);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail', '1', ...chosen, '--reporter', 'dot', ...tests];
  const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore', timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
  return new Promise((resolve) => child.once('close', (code) => resolve(code === 0)));
}

async function work(copy, waiting, outcomes) {
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    const { file, text, from, to, by, line, was } = mutant;
    writeFileSync(join(copy, file), text.slice(0, from) + by + text.slice(to));
    const survives = await runTests(copy, file);
    writeFileSync(join(copy, file), text);
    outcomes.push({ file, survives });
    if (survives) console.log(`survives: ${file}:${line} ${was} → ${by.split('\n')[0]}`);
  }
}

const { values } = parseArgs({ options: { each: { type: 'string', default: '20' }, only: { type: 'string', default: '' } } });
const files = Object.keys(FILES).filter((file) => file.includes(values.only));
const waiting = files.flatMap((file) => some(mutantsOf(file), Number(values.each)));
const outcomes = [];
const copies = Array.from({ length: availableParallelism() }, () => mkdtempSync(join(tmpdir(), 'claims-mutants-')));
for (const copy of copies) {
  execFileSync('git', ['clone', '--quiet', '.', copy]);
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
}
await Promise.all(copies.map((copy) => work(copy, waiting, outcomes)));
for (const copy of copies) rmSync(copy, { recursive: true });
for (const file of files) {
  const of = outcomes.filter((outcome) => outcome.file === file);
  console.log(`${file}: ${of.filter(({ survives }) => !survives).length} of ${of.length} noticed`);
}
const noticed = outcomes.filter(({ survives }) => !survives).length;
console.log(`${noticed} of ${outcomes.length} mutants noticed, ${((100 * noticed) / outcomes.length).toFixed(0)} %`);
