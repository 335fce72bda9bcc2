/**
 * Who may import whom. The arrows are those of docs/architecture.md. Type-only imports count: a file that cannot be
 * understood without another one depends on it.
 */
const { existsSync } = require('node:fs');

const FLOORS = ['kernel', 'store', 'api', 'modules'];
const PROGRAM = '^src/[^/]+\\.ts$|^src/(cli|extensions|program)/';
const modules = (...names) => `^src/modules/(${names.join('|')})/`;

/** A floor may import itself and those below it. */
const floor = (name) => ({
  name: `${name}-imports-no-higher-floor`,
  comment: `Floors, from the lowest: ${FLOORS.join(', ')}; then the program (src/*.ts, src/cli).`,
  severity: 'error',
  from: { path: `^src/${name}/` },
  to: { path: [...FLOORS.slice(FLOORS.indexOf(name) + 1).map((higher) => `^src/${higher}/`), PROGRAM] },
});
const arrow = (from, ...to) => ({
  name: `${from}-reaches-only-its-arrows`,
  comment: `The module ${from} may import ${to.length ? to.join(', ') : 'no other module'}.`,
  severity: 'error',
  from: { path: modules(from) },
  to: { path: '^src/modules/', pathNot: modules(from, ...to) },
});

const TESTS_OF_EXTENSIONS = '^src/extensions/[^/]+/test/';
/** Whose index an extension may import, such as `{ orders: ['suppliers'] }`: a file of those who have several that need each other. */
const ARROWS = `${__dirname}/src/extensions/arrows.cjs`;
const arrowsOfExtensions = existsSync(ARROWS) ? require(ARROWS) : {};
const throughTheApi = (from, own, to = []) => ({
  name: 'extensions-through-the-api',
  comment: 'An extension imports its own files, packages, and what src/extension-api.ts and src/extension-computations.ts have.',
  severity: 'error',
  from,
  to: {
    path: '^(src|migrations|test|tools|client|scripts)/',
    pathNot: [
      `^src/extensions/${own}/`,
      '^src/extension-(api|computations)\\.ts$',
      ...to.map((name) => `^src/extensions/${name}/index\\.ts$`),
    ],
  },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { pathNot: '^test/' }, to: { circular: true } },
    ...FLOORS.map(floor),
    {
      name: 'kernel-is-plain',
      comment: 'The kernel knows neither Nest, nor Postgres, nor HTTP.',
      severity: 'error',
      from: { path: '^src/kernel/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^node_modules/(@nestjs|typeorm|pg|fastify|bull|ioredis|rxjs)/' },
    },
    {
      name: 'store-knows-no-http',
      severity: 'error',
      from: { path: '^src/store/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^node_modules/(fastify|@nestjs/(swagger|platform-fastify|passport)|class-validator|class-transformer)/' },
    },
    {
      name: 'tools-know-no-product',
      comment: 'Each folder of tools/ is a package of its own.',
      severity: 'error',
      from: { path: '^tools/([^/]+)/', pathNot: '^tools/(personal-data|bank-tables)/' },
      to: { path: '^(src|migrations|test|tools)/', pathNot: '^tools/$1/' },
    },
    {
      name: 'personal-data-builds-on-three-packages',
      comment:
        'Of other packages it may import what reads the lines that it masks, check digits and lists of words, through their index.ts.',
      severity: 'error',
      from: { path: '^tools/personal-data/' },
      to: { path: '^(src|migrations|test|tools)/', pathNot: '^tools/(personal-data/|(bank-files|checksums|word-lists)/index\\.ts$)' },
    },
    {
      name: 'bank-tables-builds-on-three-packages',
      comment: 'Of other packages it may import what reads rows, what tells names of people, and lists of words.',
      severity: 'error',
      from: { path: '^tools/bank-tables/' },
      to: {
        path: '^(src|migrations|test|tools)/',
        pathNot: '^tools/(bank-tables/|(bank-files|personal-data/names|word-lists)/index\\.ts$)',
      },
    },
    {
      name: 'client-knows-no-service',
      comment: 'The client library is for others: of the repository it has only the verifier of the audit log.',
      severity: 'error',
      from: { path: '^client/src/' },
      to: { path: '^(src|migrations|test|tools|public)/', pathNot: '^public/verify-chain\\.js$' },
    },
    {
      name: 'modules-through-their-index',
      comment: 'What others may import of a module stands in its index.ts.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/([^/]+)/', pathNot: ['^src/modules/$1/', '/index\\.ts$'] },
    },
    {
      name: 'the-program-through-the-index',
      comment: 'Threads load computations.ts instead: it is without Nest.',
      severity: 'error',
      from: { path: PROGRAM },
      to: { path: '^src/modules/[^/]+/', pathNot: '/(index|computations)\\.ts$' },
    },
    {
      name: 'what-threads-load-is-plain',
      comment: 'Threads load what extensions declare to computations: neither Nest nor the database may come with it.',
      severity: 'error',
      from: { path: '^src/extensions/.+\\.computation\\.ts$' },
      to: { path: '^node_modules/(@nestjs|typeorm|pg|fastify|bull|ioredis|rxjs)/|^src/extension-api\\.ts$' },
    },
    {
      name: 'computations-of-modules',
      comment: 'What a file of an extension in a thread may import of a module stands in its computations.ts.',
      severity: 'error',
      from: { path: '^src/extension-computations\\.ts$' },
      to: { path: '^src/modules/[^/]+/', pathNot: '/computations\\.ts$' },
    },
    throughTheApi(
      {
        path: '^src/extensions/([^/]+)/',
        pathNot: [TESTS_OF_EXTENSIONS, ...Object.keys(arrowsOfExtensions).map((name) => `^src/extensions/${name}/`)],
      },
      '$1',
    ),
    ...Object.entries(arrowsOfExtensions).map(([name, to]) =>
      throughTheApi({ path: `^src/extensions/${name}/`, pathNot: TESTS_OF_EXTENSIONS }, name, to),
    ),
    {
      name: 'tests-of-extensions-through-the-api',
      comment: 'Beside that, a test of an extension imports what test/extension-api.ts has.',
      severity: 'error',
      from: { path: '^src/extensions/([^/]+)/test/' },
      to: {
        path: '^(src|migrations|test|tools|client|scripts)/',
        pathNot: ['^src/extensions/$1/', '^(src|test)/extension-(api|computations)\\.ts$'],
      },
    },
    {
      name: 'resources-of-extensions-through-their-index',
      severity: 'error',
      from: { path: '^src/extensions/([^/]+)/([^/]+)/', pathNot: TESTS_OF_EXTENSIONS },
      to: { path: '^src/extensions/$1/[^/]+/', pathNot: ['^src/extensions/$1/$2/', '/index\\.ts$'] },
    },
    {
      name: 'no-index-inside',
      comment: 'No barrels inside a module.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/$1/index\\.ts$' },
    },
    {
      name: 'repositories-belong-to-services',
      severity: 'error',
      from: { path: '\\.(controller\\.tsx?|console\\.tsx|views\\.tsx)$' },
      to: { path: '\\.repository\\.ts$' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.spec\\.ts$', '^src/main\\.ts$', '^src/cli\\.ts$', '/fixtures/'] },
      to: {},
    },
    {
      name: 'no-tests-in-the-program',
      severity: 'error',
      from: { path: '^(src|tools)/', pathNot: ['\\.spec\\.ts$|/fixtures/', TESTS_OF_EXTENSIONS] },
      to: { path: '^test/|\\.spec\\.ts$' },
    },
    arrow('projects'),
    arrow('rules'),
    arrow('categories', 'projects', 'rules'),
    arrow('configurations', 'projects', 'rules'),
    arrow('statements', 'organization', 'projects'),
    arrow('rates'),
    arrow('claim-items', 'projects', 'categories'),
    arrow('reports', 'organization', 'projects', 'categories', 'configurations', 'claim-items', 'statements', 'rates', 'rules'),
    arrow('organization'),
    arrow('api-keys', 'organization', 'projects'),
    arrow('users', 'organization', 'audit'),
    arrow('confirmations', 'users'),
    arrow('oauth', 'organization', 'projects', 'users'),
    arrow('usage', 'organization'),
    arrow('audit', 'organization'),
    arrow('organization-data', 'organization', 'audit'),
    arrow('webhooks', 'organization', 'projects'),
    arrow('events', 'webhooks'),
    arrow('test-environment', 'configurations', 'organization-data', 'reports', 'webhooks'),
    arrow('console', 'organization', 'users'),
    arrow('request-history'),
    arrow('mcp'),
    arrow('api'),
    arrow('contracts'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    exclude: { path: '^dist/|^src/extensions/documents/' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js'], exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] },
  },
};
