/** Rules of this house for oxlint. Each says what to do instead. */
const MAX_WIDTH = 140;
const MAX_IMPORTS = 30;
/** What waits is called by a verb; `currencyOf` tells without waiting, and `linesOf` gives them one by one. Extensions write `wayOf`. */
const NOUN = /^(?!wayOf|is|are|has|may).+Of$/;

const rule = (create) => ({ meta: { type: 'problem', schema: [] }, create });

/** Tables, links and long texts of tests are no reason to break lines: a test about them turns this off. */
const maxWidth = rule((context) => ({
  Program() {
    context.sourceCode.lines.forEach((line, index) => {
      if (line.length <= MAX_WIDTH) return;
      const at = (column) => ({ line: index + 1, column });
      context.report({ loc: { start: at(MAX_WIDTH), end: at(line.length) }, message: `More than ${MAX_WIDTH} characters in a line.` });
    });
  },
}));

const maxImports = rule((context) => ({
  Program({ body }) {
    const imports = body.filter(({ type }) => type === 'ImportDeclaration');
    if (imports.length > MAX_IMPORTS)
      context.report({ node: imports.at(-1), message: `More than ${MAX_IMPORTS} imports: split the file.` });
  },
}));

const noForwardRef = rule((context) => ({
  CallExpression(node) {
    if (node.callee.name === 'forwardRef')
      context.report({ node, message: 'No forwardRef: declare a port on a lower floor instead (docs/architecture.md).' });
  },
}));

const tenantRows = rule((context) => ({
  CallExpression(node) {
    if (['getRepository', 'manager'].includes(node.callee.property?.name))
      context.report({ node, message: 'Rows of a tenant are read through TenantRepository, whose find and findOneBy know the tenant.' });
  },
}));

const settingsOnly = rule((context) => ({
  MemberExpression(node) {
    if (node.object.name === 'process' && node.property.name === 'env')
      context.report({ node, message: 'Settings are read in kernel/settings only.' });
  },
}));

const verbs = rule((context) => {
  const check = (name, value) => {
    const waits = value.async || value.returnType?.typeAnnotation.typeName?.name === 'Promise';
    if (waits && !value.generator && NOUN.test(name?.name ?? ''))
      context.report({ node: name, message: 'It waits, so its name is a verb: find, read, make.' });
  };
  return { FunctionDeclaration: (node) => check(node.id, node), MethodDefinition: (node) => check(node.key, node.value) };
});

const nameOf = (type) => (type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' ? type.typeName.name : undefined);
const isInjected = ({ decorators = [] }) => decorators.some(({ expression }) => /^Inject/.test(expression.callee?.name ?? expression.name));

/** Nest injects what the type of a parameter names, and of a type nothing is left at run time. */
const injectedValues = rule((context) => {
  const types = new Set();
  const classes = [];
  const addType = ({ id }) => void types.add(id.name);
  return {
    ImportDeclaration({ importKind, specifiers }) {
      for (const one of specifiers) if (importKind === 'type' || one.importKind === 'type') types.add(one.local.name);
    },
    TSInterfaceDeclaration: addType,
    TSTypeAliasDeclaration: addType,
    ClassDeclaration: (node) => void (node.decorators?.length > 0 && classes.push(node)),
    'Program:exit'() {
      for (const { id, body } of classes)
        for (const given of body.body.find(({ kind }) => kind === 'constructor')?.value.params ?? []) {
          const { typeAnnotation } = given.parameter?.left ?? given.parameter ?? given.left ?? given;
          const name = nameOf(typeAnnotation?.typeAnnotation);
          if (!types.has(name) || isInjected(given)) continue;
          const what = `The constructor of ${id?.name ?? 'a class'} takes ${name}, which is only a type here`;
          context.report({
            node: given,
            message: `${what}: Nest can inject nothing. Import ${name} as a value, or name it with @Inject().`,
          });
        }
    },
  };
});

export default {
  meta: { name: 'house' },
  rules: {
    'max-width': maxWidth,
    'max-imports': maxImports,
    'no-forward-ref': noForwardRef,
    'tenant-rows': tenantRows,
    'settings-only': settingsOnly,
    verbs,
    'injected-values': injectedValues,
  },
};
