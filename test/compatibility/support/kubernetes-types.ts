import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { modelsOf, type Manifest } from './manifests.js';

const FILE = fileURLToPath(new URL('../manifests.ts', import.meta.url));
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
};

/** Throws what the schema of its kind does not allow. */
export async function validate(manifest: Manifest): Promise<void> {
  const models = (await import(/* @vite-ignore */ modelsOf(manifest.apiVersion))) as Record<
    string,
    new (data: Manifest) => { validate(): void }
  >;
  new models[manifest.kind]!(manifest).validate();
}

/**
 * What the types of Kubernetes do not know or allow in manifests. Its schemas let unknown fields pass, as Kubernetes ignores them; the
 * compiler refuses fields that a literal has and its type has not.
 */
export function typeErrors(manifests: readonly Manifest[]): string[] {
  const source = manifests
    .map((manifest, index) => {
      const type = `import('${modelsOf(manifest.apiVersion)}').I${manifest.kind}`;
      return `export const m${index}: ${type} = ${JSON.stringify(manifest)};`;
    })
    .join('\n');
  const host = ts.createCompilerHost(OPTIONS);
  const onDisk = ts.createCompilerHost(OPTIONS);
  host.fileExists = (name) => name === FILE || onDisk.fileExists(name);
  host.readFile = (name) => (name === FILE ? source : onDisk.readFile(name));
  host.getSourceFile = (name, ...rest) =>
    name === FILE ? ts.createSourceFile(FILE, source, OPTIONS.target!) : onDisk.getSourceFile(name, ...rest);
  const program = ts.createProgram([FILE], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file, start }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line : 0;
    const { kind, metadata } = manifests[line]!;
    return `${kind} ${metadata.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
