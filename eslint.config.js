import tseslint from 'typescript-eslint';

const UNWANTED = [
  {
    selector: 'CallExpression[callee.name="forwardRef"]',
    message: 'No forwardRef: declare a port on a lower floor instead (docs/architecture.md).',
  },
  {
    selector: 'CallExpression[callee.property.name=/^(getRepository|manager)$/]',
    message: 'Rows of a tenant are read through TenantRepository, whose find and findOneBy know the tenant.',
  },
];

const IMPORTS = { selector: 'Program > ImportDeclaration:nth-child(31)', message: 'More than 30 imports: split the file.' };

/** What waits is called by a verb; `currencyOf` tells without waiting, and `linesOf` gives them one by one. Extensions write `wayOf`. */
const VERBS = [
  ['FunctionDeclaration', 'id', ''],
  ['MethodDefinition', 'key', 'value.'],
].flatMap(([kind, name, fn]) => {
  const waits = [`[${fn}async=true]`, `[${fn}returnType.typeAnnotation.typeName.name="Promise"]`];
  return waits.map((wait) => ({
    selector: `${kind}[${fn}generator=false][${name}.name=/^(?!wayOf|is|are|has|may).+Of$/]${wait}`,
    message: 'It waits, so its name is a verb: find, read, make.',
  }));
});

export default tseslint.config(
  { ignores: ['**/dist/', 'node_modules/', '.data/', '.test-data/', 'scripts/templates/', 'src/extensions/documents/'] },
  // The rules that need types are in .oxlintrc.json.
  ...tseslint.configs.recommended,
  {
    // As in tsconfig.json: with them, an import of a class is needed at run time.
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    rules: {
      // Sizes: a breach needs a split, not a waiver.
      'max-len': ['error', { code: 140 }],
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 60 }],
      'max-params': ['error', { max: 6 }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'Settings are read in kernel/settings only.' }],
      'no-restricted-syntax': ['error', ...UNWANTED, ...VERBS, IMPORTS],
    },
  },
  { files: ['src/kernel/settings/**', 'src/main.ts', 'src/cli.ts', 'src/cli/**'], rules: { 'no-restricted-properties': 'off' } },
  // The lists: a line for each thing there is.
  {
    files: [
      'src/app.module.ts',
      'src/modules/*/*.module.ts',
      'migrations/index.ts',
      'src/extensions/index.ts',
      'src/extensions/*/extension.ts',
      'src/cli/program.ts',
      'src/cli/open-services.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...UNWANTED] },
  },
  { files: ['src/program/demo.ts', 'src/cli/**', 'src/program/print-error.ts'], rules: { 'no-console': 'off' } },
  { files: ['src/store/**'], rules: { 'no-restricted-syntax': ['error', ...VERBS] } },
  // Generated.
  {
    files: ['client/src/generated.ts', 'client/src/generated-types.ts', 'client/src/event-examples.ts', 'client/src/mock/document.ts'],
    rules: { 'max-len': 'off', 'max-lines': 'off', 'max-lines-per-function': 'off' },
  },
  // Files as banks write them, tables of benchmarks, and migrations, which are never edited once released.
  {
    files: ['src/modules/statements/formats/fixtures/**', 'test/bench/**', 'migrations/**', 'src/extensions/*/migrations/**'],
    rules: { 'max-len': 'off', 'no-restricted-syntax': ['error', ...UNWANTED] },
  },
  // A test file is one long describe; what it calls is the program's.
  {
    files: ['test/**', 'src/extensions/*/test/**', 'examples/*/test/**', '**/*.spec.ts', 'vitest.config.ts', 'vite.config.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': ['error', { max: 450 }],
      'no-console': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': ['error', ...UNWANTED, IMPORTS],
    },
  },
  {
    files: ['**/*.js', '**/*.cjs'],
    rules: { 'no-console': 'off', 'no-restricted-properties': 'off', 'no-restricted-syntax': ['error', ...UNWANTED, IMPORTS] },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
