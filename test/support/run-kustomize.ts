import { execFileSync } from 'node:child_process';

/** kustomize by itself, or as part of kubectl. */
const COMMANDS = [
  { program: 'kustomize', version: ['version'], render: 'build' },
  { program: 'kubectl', version: ['version', '--client'], render: 'kustomize' },
];

const command = COMMANDS.find(({ program, version }) => {
  try {
    execFileSync(program, version, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

/** Whether kustomize is installed. */
export const hasKustomize = (): boolean => command !== undefined;

/** What kustomize makes of a folder. */
export function kustomize(folder: string): string {
  if (!command) throw new Error('kustomize is missing: install kubectl, or kustomize 4 or later, and put it on the PATH.');
  return execFileSync(command.program, [command.render, folder], { encoding: 'utf8' });
}
