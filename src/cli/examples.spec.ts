import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, expect, it } from 'vitest';
import { EXAMPLES } from './examples.js';
import { everyCommand, makeProgram, nameOf } from './program.js';

const commands = everyCommand(makeProgram()).filter(({ commands: inner }) => inner.length === 0);
const own = (command: Command): string => nameOf(command).replace(/^claims /, '');

const folder = mkdtempSync(join(tmpdir(), 'claims-examples-'));
const keyOfAMove = join(folder, 'move.key');
writeFileSync(keyOfAMove, randomBytes(32).toString('base64'));
afterAll(() => rmSync(folder, { recursive: true }));

/** As a shell takes a line apart. */
const words = (line: string): string[] => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);

it('every command has an example, and every example a command', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(commands.map(own).sort());
});

it.each(commands.map((command) => [own(command), command] as const))('%s can be called as its example says', (name, command) => {
  // Files of keys are read at once.
  const given = words(EXAMPLES[name]!.replace('keys.json', 'package.json').replace('move.key', keyOfAMove)).slice(name.split(' ').length);
  const { operands, unknown } = command.parseOptions(given);
  expect(unknown).toEqual([]);
  expect(operands.length).toBeGreaterThanOrEqual(command.registeredArguments.filter(({ required }) => required).length);
  expect(operands.length).toBeLessThanOrEqual(command.registeredArguments.length);
  for (const { long, mandatory } of command.options) if (mandatory) expect(given, name).toContain(long);
});

it('the help of a command shows its example', () => {
  let help = '';
  const list = commands.find((command) => own(command) === 'key list')!;
  list.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  expect(help).toContain('Example:\n  claims key list --org example-accountants');
});
