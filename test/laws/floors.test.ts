import { readdir, readFile } from 'node:fs/promises';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** The lower floors, which must not know what any module is about. */
const FLOORS = ['src/kernel', 'src/store', 'src/api'];

/** What modules are about. */
const OF_MODULES =
  /webhook|oauth|\bmcp\b|invit|redaction|bank.?statement|claim.?(project|report)|expense.?categor|report.?config|audit.?event|n_erasures/i;

/** The files that may name them, each with the reason. */
const MAY_NAME_THEM: Readonly<Record<string, string>> = {
  'src/kernel/settings/settings.ts': 'All settings are one class, so that every problem is reported at once.',
  'src/kernel/settings/client-settings.ts': 'A part of that class.',
  'src/kernel/record-limits.ts': 'All bounds of records are one setting, RECORD_LIMITS.',
  'src/store/database/requirements.ts': 'What the role of the service may do is one list, as docs/operating.md grants it.',
  'src/store/tenant/organization-tables.ts': 'Who has changed a record last is read from the audit log.',
  'src/api/metrics/request-metrics.ts': 'The parts of the service are the values of one label.',
  'src/api/access/principal.ts': 'The kinds of credentials are part of the public contract.',
};

async function filesOf(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  return files.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts')).map((file) => `${folder}/${file}`);
}

/** The words of a file's code. Comments may give examples. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  const visit = (node: ts.Node): void => {
    if (node.getChildCount() === 0) words.push(node.getText());
    else
      node
        .getChildren()
        .filter(({ kind }) => kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode)
        .forEach(visit);
  };
  visit(ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true));
  return words;
}

it('the lower floors name nothing that belongs to a module', async () => {
  const files = (await Promise.all(FLOORS.map(filesOf))).flat();
  expect(files.length).toBeGreaterThan(50);
  const found: string[] = [];
  for (const file of files.filter((name) => !(name in MAY_NAME_THEM))) {
    for (const word of wordsOf(await readFile(file, 'utf8'))) if (OF_MODULES.test(word)) found.push(`${file}: ${word}`);
  }
  expect(found).toEqual([]);
});

it('every file that may name modules exists, and does name one', async () => {
  for (const file of Object.keys(MAY_NAME_THEM))
    expect(wordsOf(await readFile(file, 'utf8')).some((word) => OF_MODULES.test(word))).toBe(true);
});
