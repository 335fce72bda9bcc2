/** Who may import whom. The arrows are those of docs/architecture.md. */
const modules = (...names) => `^src/modules/(${names.join('|')})/`;
const arrow = (from, ...to) => ({
  name: `${from}-reaches-only-its-arrows`,
  comment: `The module ${from} may import ${to.length ? to.join(', ') : 'no other module'}.`,
  severity: 'error',
  from: { path: modules(from) },
  to: { path: '^src/modules/', pathNot: modules(from, ...to) },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    { name: 'platform-knows-no-module', severity: 'error', from: { path: '^src/platform/' }, to: { path: '^src/(modules|cli|app|start|demo)' } },
    {
      name: 'modules-through-their-index',
      comment: 'What others may import of a module stands in its index.ts.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/([^/]+)/', pathNot: ['^src/modules/$1/', '/index\\.ts$'] },
    },
    { name: 'the-program-through-the-index', severity: 'error', from: { path: '^src/(app|app\\.module|start|demo|cli)' }, to: { path: '^src/modules/[^/]+/', pathNot: '/index\\.ts$' } },
    { name: 'no-index-inside', comment: 'No barrels inside a module.', severity: 'error', from: { path: '^src/modules/([^/]+)/' }, to: { path: '^src/modules/$1/index\\.ts$' } },
    { name: 'repositories-belong-to-services', severity: 'error', from: { path: '\\.controller\\.ts$' }, to: { path: '\\.repository\\.ts$' } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: ['\\.spec\\.ts$', '^src/main\\.ts$', '^src/cli\\.ts$', '/fixtures/'] }, to: {} },
    { name: 'no-tests-in-the-program', severity: 'error', from: { path: '^src/', pathNot: '\\.spec\\.ts$|/fixtures/' }, to: { path: '^test/|\\.spec\\.ts$' } },
    arrow('projects'),
    arrow('categories', 'projects'),
    arrow('configurations', 'projects'),
    arrow('statements', 'projects'),
    arrow('reports', 'projects', 'categories', 'configurations', 'statements'),
    arrow('organization'),
    arrow('api-keys', 'organization'),
    arrow('users', 'organization'),
    arrow('oauth', 'organization', 'users'),
    arrow('usage', 'organization'),
    arrow('audit'),
    arrow('webhooks'),
    arrow('mcp'),
    arrow('api'),
    arrow('contracts'),
  ],
  options: { doNotFollow: { path: 'node_modules' }, tsConfig: { fileName: 'tsconfig.json' }, tsPreCompilationDeps: true, exclude: { path: '^dist/' }, enhancedResolveOptions: { extensions: ['.ts', '.js'], exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] } },
};
